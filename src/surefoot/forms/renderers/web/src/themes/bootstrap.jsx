// Bootstrap 5 through react-bootstrap.
import { Theme as Bootstrap } from "@rjsf/react-bootstrap";
import Native from "react-bootstrap/Button";

export const Theme = Bootstrap;
export const Frame = ({ children }) => children;
export const Button = ({ primary, plain, ...rest }) => (
  <Native
    type={primary ? "submit" : "button"}
    variant={primary ? "primary" : plain ? "outline-secondary" : "secondary"}
    {...rest}
  />
);
