internal import Bytes
internal import CrashModel
internal import CrashService
package import CrashStore

/// The variants of a group, one per line: the stack of the most frequent one, and the differences of the
/// others.
package struct VariantList {
  package let list: GroupVariants

  package init(list: GroupVariants) { self.list = list }

  /// The number of digits that distinguish variants in practice.
  static let shownDigits = 8
  /// The number of calls that fit on a line of any width.
  private static let shownCalls = 12

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([.text("VARIANT"), .number("REPORTS"), .text("STACK", .atEnd)])
    for (index, variant) in list.variants.enumerated() {
      table.add([
        variant.id.isEmpty ? "?" : String(variant.id.prefix(Self.shownDigits)).printable,
        String(variant.reports), text(of: variant, after: index == 0 ? nil : list.variants[0]),
      ])
    }
    var lines = table.lines(width: width, styles: styles)
    let rest = list.count - list.variants.count
    if rest > 0 { lines.append("… \(GroupText.count(rest, "more variant", "more variants"))") }
    let splits = ProposedSplitText(splits: list.splits).lines(width: width, styles: styles)
    return splits.isEmpty ? lines : lines + [""] + splits
  }

  /// Returns the calls of a stack, or those from the first difference.
  private func text(of variant: GroupVariant, after first: GroupVariant?) -> String {
    guard !variant.id.isEmpty else { return "the documents are damaged" }
    let calls = variant.stack.calls
    guard let first, !first.id.isEmpty else { return joined(calls[...]) }
    let others = first.stack.calls
    let same = zip(calls, others).prefix { $0 == $1 }.count
    if same == calls.count, same == others.count {
      return variant.stack.type == first.stack.type
        ? "differs further down" : variant.stack.type?.printable ?? "no type"
    }
    if same == calls.count { return "ends after call \(same)" }
    return "from call \(same + 1): " + joined(calls[same...])
  }

  private func joined(_ calls: ArraySlice<NormalisedStack.Call>) -> String {
    let shown = calls.prefix(Self.shownCalls).map {
      $0.token.isEmpty ? "?" : $0.token.printable
    }
    return shown.joined(separator: " < ") + (calls.count > Self.shownCalls ? " < …" : "")
  }
}
