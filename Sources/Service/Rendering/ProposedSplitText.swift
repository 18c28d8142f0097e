internal import Bytes
package import CrashStore
internal import Likeness

/// Why a group looks mixed, and the commands that split it.
package struct ProposedSplitText {
  package let splits: [ProposedSplit]

  package init(splits: [ProposedSplit]) { self.splits = splits }

  /// Returns the text. Commands are on lines of their own, uncut, so that they can be pasted.
  package func lines(width: Int, styles: Styles) -> [String] {
    splits.flatMap { split in
      let likeness = Likeness(millionths: split.millionths, matchedFrames: 0).text
      let text =
        "Looks mixed: the stacks of \(split.reports) of \(split.compared) reports are unlike the "
        + "others (likeness \(likeness) at most). To split them off:"
      let variants = split.variants.map {
        " --variant " + String($0.prefix(VariantList.shownDigits)).printable
      }
      return text.lines(of: width).map(styles.warning)
        + ["  mayday split \(split.group.printable)" + variants.joined()]
    }
  }
}
