// Limits what a sentence and a paragraph may hold. A sentence has at most `words` words and, outside of tables, `numbers` numbers.
// A paragraph has at most `paragraph` words. With `lines`, every sentence is on one line of its own. Code in a line counts as one
// word without digits.
import { splitAST } from "sentence-splitter";
import { StringSource } from "textlint-util-to-string";

const words = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

export default function (context, { words: most = 35, numbers = Infinity, paragraph = Infinity, lines = false } = {}) {
  const { Syntax, RuleError, report, locator } = context;
  const textOf = (node) =>
    new StringSource(node, {
      replacer({ node, maskValue, emptyValue }) {
        if (node.type === Syntax.Code) return maskValue("x");
        if (node.type === Syntax.Html || node.type === Syntax.Image) return emptyValue();
      },
    }).toString();
  const refuse = (node, message) => report(node, new RuleError(message, { padding: locator.range([0, 1]) }));

  const check = (node, isTable) => {
    const found = words(textOf(node)).length;
    if (!isTable && found > paragraph) refuse(node, `a paragraph of ${found} words, more than ${paragraph}`);
    let lastLine = 0;
    for (const sentence of splitAST(node).children.filter((child) => child.type === "Sentence")) {
      const text = textOf(sentence);
      const length = words(text).length;
      if (length === 0) continue;
      if (length > most) refuse(sentence, `a sentence of ${length} words, more than ${most}`);
      const count = words(text).filter((word) => /\p{N}/u.test(word)).length;
      if (!isTable && count > numbers) refuse(sentence, `${count} numbers in a sentence, more than ${numbers}`);
      const { start, end } = sentence.loc;
      if (lines && !isTable && start.line === lastLine) refuse(sentence, "a second sentence on a line");
      if (lines && !isTable && start.line !== end.line) refuse(sentence, "a sentence on several lines");
      lastLine = end.line;
    }
  };
  return {
    [Syntax.Paragraph]: (node) => check(node, false),
    [Syntax.TableCell]: (node) => check(node, true),
  };
}
