// The themes of SurveyJS that pages can ask for.
import {
  ContrastDark,
  DefaultDark,
  DefaultLight,
  DoubleBorderLight,
  FlatLight,
  LayeredLight,
  PlainLightPanelless,
  SharpDark,
  SharpLight,
  ThreeDimensionalLight,
} from "survey-core/themes";

export const themes = {
  "default-light": DefaultLight,
  "default-dark": DefaultDark,
  "sharp-light": SharpLight,
  "sharp-dark": SharpDark,
  "layered-light": LayeredLight,
  "flat-light": FlatLight,
  "double-border-light": DoubleBorderLight,
  "plain-light-panelless": PlainLightPanelless,
  "contrast-dark": ContrastDark,
  "three-dimensional-light": ThreeDimensionalLight,
};
