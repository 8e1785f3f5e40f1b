// Material UI; its styles are made at run time, under the page's nonce.
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import Native from "@mui/material/Button";
import FormLabel from "@mui/material/FormLabel";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import { Theme as Material } from "@rjsf/mui";
import { prefixer } from "stylis";
import turned from "stylis-plugin-rtl";
import { nonce, run } from "../run.js";

const stylisPlugins = run.direction === "rtl" ? [prefixer, turned] : [prefixer];
const cache = createCache({ key: "mui", nonce, stylisPlugins });
const theme = createTheme({
  direction: run.direction,
  motion: { reducedMotion: "system" },
  palette: { primary: { main: run.accent } },
  shape: { borderRadius: run.look.corner * 4 },
  typography: { fontFamily: "var(--font)" },
});

export const Theme = Material;
export const Legend = FormLabel;
export const Frame = ({ children }) => (
  <CacheProvider value={cache}>
    <ThemeProvider theme={theme}>{children}</ThemeProvider>
  </CacheProvider>
);
export const Button = ({ primary, plain, ...rest }) => (
  <Native
    type={primary ? "submit" : "button"}
    variant={primary ? "contained" : plain ? "outlined" : "text"}
    {...rest}
  />
);
