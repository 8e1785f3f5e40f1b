// The plain HTML of @rjsf/core, with a style sheet of ours.
export const Theme = {};
export const Frame = ({ children }) => children;
export const Button = ({ primary, plain, ...rest }) => (
  <button type={primary ? "submit" : "button"} className={primary ? "primary" : ""} {...rest} />
);
