# Redmine over the state in STATE: its administrator is signed in, and neither mail, sessions nor
# what it remembers of a visitor are kept. With a port it is served; otherwise another script
# goes on.
STATE = ENV.fetch("STATE")
HOME_OF_REDMINE = "/usr/share/redmine"
GEMS = %w[
  rouge request_store mini_mime action_pack/xml_parser roadie-rails marcel mail csv nokogiri
  i18n rbpdf addressable zip rotp rqrcode net/ldap mini_magick redcarpet html/pipeline
  commonmarker sanitize task_list
].freeze

# Bundler would write which gems it found beside Redmine; those of Debian are found without it.
ENV["BUNDLE_GEMFILE"] = "none"
Bundler = Module.new
bring = -> { GEMS.each { |name| require name } }
Bundler.define_singleton_method(:require) { |*| bring.call }

require "#{HOME_OF_REDMINE}/config/application"
Redmine.define_singleton_method(:root) { Pathname.new(STATE) }

RedmineApp::Application.configure do
  config.paths["config/database"] = "#{STATE}/database.yml"
  config.paths["log"] = "#{STATE}/log/production.log"
  config.paths["tmp"] = "#{STATE}/tmp"
  config.logger = ActiveSupport::Logger.new($stderr)
  config.log_level = :error
  config.secret_key_base = "0" * 64
  config.cache_store = :memory_store
  config.public_file_server.enabled = true
  config.active_job.queue_adapter = :inline
  # Letters are written for nobody; where none may be written, their settings are hidden.
  config.action_mailer.delivery_method = :test
  config.action_mailer.perform_deliveries = ARGV.any?
  # Nobody else reaches it, and a token on each form would be another whenever it is drawn.
  config.action_controller.allow_forgery_protection = false
  # Production's own settings, which come after these, would read every file at the start.
  config.before_initialize { |made| made.config.eager_load = false }
end
Rails.application.initialize!

# Rails asks Ruby what time it is many thousand times a page, for which faketime is too slow.
require "active_support/testing/time_helpers"
include ActiveSupport::Testing::TimeHelpers
CLOCK = Time.at(Integer(ENV.fetch("CLOCK")))
travel_to(CLOCK)

module AlwaysSignedIn
  def session_expiration = session.clear

  def find_current_user = User.find(1)

  # What was looked at last stands first in the list of projects, which a visit would change.
  def record_project_usage = true
end

# A chart of Gantt writes down how it was looked at.
module NothingRemembered
  def save(**) = true
end

if ARGV.any?
  require "puma"
  require "puma/server"
  ApplicationController.prepend(AlwaysSignedIn)
  UserPreference.prepend(NothingRemembered)
  complaints = Puma::Events.new($stderr, $stderr)
  threads = { min_threads: 1, max_threads: 4 }
  server = Puma::Server.new(Rails.application, complaints, threads)
  server.add_tcp_listener("127.0.0.1", Integer(ARGV.first))
  server.run.join
end
