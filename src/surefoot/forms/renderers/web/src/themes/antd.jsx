// Ant Design in the page's language; its styles are made at run time, under the page's nonce.
import { CalendarOutlined } from "@ant-design/icons";
import { Theme as Ant } from "@rjsf/antd";
import { Button as Native, ConfigProvider, DatePicker } from "antd";
import ar from "antd/locale/ar_EG";
import en from "antd/locale/en_US";
import fr from "antd/locale/fr_FR";
import ja from "antd/locale/ja_JP";
import ru from "antd/locale/ru_RU";
import th from "antd/locale/th_TH";
import zh from "antd/locale/zh_CN";
import dayjs from "dayjs";
import { useState } from "react";
import { nonce, run, still } from "../run.js";

const locales = { ar, en, fr, ja, ru, th, zh };
const token = {
  colorPrimary: run.accent,
  borderRadius: run.look.corner * 4,
  fontFamily: "var(--font)",
  motion: !still,
};

// Dates are written as the browser's own field writes them; digits alone and ISO 8601 are read.
const shownDate = run.date.toUpperCase();
const FORMATS = [shownDate, shownDate.replaceAll("\u200f", ""), "YYYY-MM-DD", shownDate.replace(/[^A-Z]/g, "")];

// The library opens its calendar under whoever types, over the next fields, and takes the
// typed date when the calendar closes; so it opens as ever, but only its icon shows it.
function DateWidget({ id, value, onChange, onBlur, onFocus }) {
  const [shown, setShown] = useState(false);
  return (
    <DatePicker
      id={id}
      classNames={{ popup: { root: shown ? "" : "unasked" } }}
      onOpenChange={(open) => setShown(shown && open)}
      suffixIcon={<CalendarOutlined onClick={() => setShown(!shown)} />}
      format={FORMATS}
      placeholder={run.date}
      value={value ? dayjs(value) : undefined}
      onChange={(day) => onChange(day ? day.format("YYYY-MM-DD") : undefined)}
      onBlur={() => onBlur(id, value)}
      onFocus={() => onFocus(id, value)}
    />
  );
}

export const Theme = Ant;
export const widgets = { DateWidget };
export const Frame = ({ children }) => (
  <ConfigProvider
    csp={{ nonce }}
    direction={run.direction}
    locale={locales[run.language]}
    virtual={false}
    wave={{ disabled: still }}
    theme={{ token }}
  >
    {children}
  </ConfigProvider>
);
export const Button = ({ primary, plain, ...rest }) => (
  <Native
    htmlType={primary ? "submit" : "button"}
    type={primary ? "primary" : "default"}
    {...rest}
  />
);
