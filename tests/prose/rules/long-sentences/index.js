export { default } from "textlint-rule-sentences";
