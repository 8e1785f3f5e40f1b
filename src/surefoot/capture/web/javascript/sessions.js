// Gives a window the session storage of somebody who signed in, before the page's own scripts;
// what the page has changed since stays.
((stored) => {
  const entries = Object.entries(stored[location.origin] ?? {});
  for (const [name, value] of entries) {
    if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, value);
  }
})(STORED);
