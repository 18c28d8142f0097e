internal import Bytes
package import CrashModel
package import CrashService
package import CrashStore
internal import Grouping
internal import Identifiers

/// An explanation as text: the stack from the top, with the result of each frame and its rule, then the text,
/// the key and the group.
package struct ExplanationText {
  package var width = 80
  package var styles = Styles.plain
  /// Whether every frame is shown.
  package var isFull = false

  package init(width: Int = 80, styles: Styles = .plain, isFull: Bool = false) {
    self.width = width
    self.styles = styles
    self.isFull = isFull
  }

  private static let mostRules = 12
  private static let mostNames = 6

  package func lines(for explanation: Explanation) -> [String] {
    var lines = heading(of: explanation)
    lines += [""] + decisions(of: explanation)
    let (frames, shown) = self.frames(of: explanation)
    lines += frames
    lines += rules(explanation.rules(of: explanation.decisions + shown))
    lines += pieces(of: explanation)
    lines += [""] + keys(of: explanation)
    return lines
  }

  // MARK: Above the stack

  private func heading(of explanation: Explanation) -> [String] {
    let title = [explanation.membership?.group.printable, explanation.signature.text.printable]
    var lines = title.compactMap { $0 }.joined(separator: "  ").lines(of: width)
      .map(styles.strong)
    lines.append("")
    let app = explanation.report.app
    let version = [app.version, app.build.map { "(\($0))" }].compactMap { $0 }
    let name = ([explanation.app] + version).joined(separator: " ").printable
    let digest = explanation.report.engine?.rulesDigest.map { ", lists \($0.prefix(8))" } ?? ""
    lines += row("Report", explanation.id.printable)
    lines += row("App", name)
    lines += row("Rules", explanation.signature.rules.printable + digest.printable)
    return lines
  }

  private func decisions(of explanation: Explanation) -> [String] {
    var lines = row("Stack", explanation.stack?.printable ?? "not recorded")
    let category = explanation.signature.category.rawValue
    lines += row(
      "Category", category + ": " + ExplanationOutline.meaning(of: explanation.signature.category))
    for step in explanation.decisions {
      lines += row("", ExplanationOutline.words(for: step).printable)
    }
    return lines
  }

  // MARK: The stack

  /// Returns the lines, and the frames in them.
  private func frames(of explanation: Explanation) -> ([String], [SignatureStep]) {
    let outline = ExplanationOutline(explanation, isFull: isFull)
    var lines: [String] = []
    for part in outline.parts {
      lines += ["", styles.strong(part.title)]
      for run in part.runs {
        switch run {
        case .frame(let step): lines += self.lines(for: step)
        case .folded(let steps):
          lines.append(styles.dim("       … " + ExplanationOutline.words(forFolded: steps)))
        }
      }
    }
    return (lines, outline.shown)
  }

  private func lines(for step: SignatureStep) -> [String] {
    let number = String(step.frame ?? 0).padded(to: 3, right: true)
    let mark = step.used ? "▸" : " "
    let head = "\(mark) \(number)  \((step.frameClass ?? "").padded(to: 7)) "
    let rule = step.rule.printable
    let name = step.result.isEmpty ? "-" : step.result.printable
    let room = width - head.columns - rule.columns - 2
    var lines: [String]
    func style(_ text: String) -> String { step.used ? styles.strong(text) : text }
    if name.columns <= room {
      lines = [head + style(name.padded(to: room)) + "  " + styles.dim(rule)]
    } else {
      // A long name has its own line, followed by the rule.
      let margin = String(repeating: " ", count: head.columns)
      let parts = name.lines(of: width - head.columns, atMost: isFull ? .max : 2)
      lines = parts.enumerated().map { ($0 == 0 ? head : margin) + style($1) }
      lines.append(styles.dim(rule.padded(to: width, right: true)))
    }
    lines += details(of: step)
    return lines
  }

  /// Returns the name as in the report, and why it is left out, unless its position shows that.
  private func details(of step: SignatureStep) -> [String] {
    var details: [String] = []
    if step.subject != step.result { details.append(step.subject.printable) }
    if let reason = step.leftOut.flatMap(Self.reason) { details.append("left out: " + reason) }
    let margin = String(repeating: " ", count: 17)
    return details.flatMap { $0.lines(of: width - 17, atMost: isFull ? .max : 2) }
      .map { styles.dim(margin + $0) }
  }

  package static func reason(_ leftOut: LeftOut) -> String? {
    switch leftOut {
    case .byClass, .above, .below: nil
    case .repeated: "another turn of the recursion"
    case .outside: "no part of the recursion"
    case .surplus: "the text has enough parts before it"
    case .words: "the report's own reason is more specific"
    case .complete: "only the report's own reason counts"
    }
  }

  private func rules(_ rules: [RuleLine]) -> [String] {
    guard !rules.isEmpty else { return [] }
    let shown = isFull ? rules[...] : rules.prefix(Self.mostRules)
    let indent = (shown.map(\.id.columns).max() ?? 0) + 4
    var lines = ["", styles.strong("The rules that are named:")]
    lines += shown.map { rule in
      ("  " + rule.id).padded(to: indent)
        + styles.dim(rule.text.printable.truncated(to: width - indent))
    }
    if rules.count > shown.count {
      lines.append(styles.dim("  … \(rules.count - shown.count) more"))
    }
    lines.append(styles.dim("  To see a rule: mayday rules show \(rules[0].id)"))
    return lines
  }

  // MARK: Below the stack

  private func pieces(of explanation: Explanation) -> [String] {
    var lines = ["", styles.strong("The text, piece by piece:")]
    for (number, piece) in explanation.pieces.enumerated() {
      let from = ExplanationOutline.source(of: piece)
      let head = "\(number + 1)".padded(to: 5, right: true) + "  "
      let parts = piece.text.printable.lines(of: width - head.columns)
      lines += parts.enumerated().map { index, part in
        let line = (index == 0 ? head : String(repeating: " ", count: head.columns)) + part
        guard index == parts.count - 1 else { return line }
        let room = width - line.columns - 2
        return from.columns <= room ? line + "  " + styles.dim(from) : line
      }
    }
    return lines
  }

  private func keys(of explanation: Explanation) -> [String] {
    let signature = explanation.signature
    let part = signature.titlePiece.map { ", but for “\($0.printable)”," } ?? ""
    var lines = row("Key", signature.key.printable)
    lines += row(
      "",
      "SHA-256 of mayday-sig, \(signature.rules.printable), \(explanation.app.printable) and the "
        + "text\(part) with bytes 0x1f between them, the first 16 bytes", isDim: true)
    for alternative in explanation.alternatives {
      lines += row("Also", alternative.key.printable)
      let reading = alternative.reading.map { $0.printable + ": " } ?? ""
      if let text = alternative.text { lines += row("", reading + text.printable, isDim: true) }
    }
    if let wait = ExplanationOutline.wait(of: signature) { lines += row("Waits", wait) }
    if let membership = explanation.membership { lines += group(membership) }
    return lines + explanation.nearest.flatMap(nearest)
  }

  /// Returns a line for a group with a similar stack.
  private func nearest(_ group: RelatedGroup) -> [String] {
    var lines = row(
      "Nearest",
      "\(group.id.printable): likeness \(group.likenessText), \(group.matchedFrames) of "
        + "\(group.frames) frames agree")
    lines += row("", group.title.printable)
    guard let comparison = group.comparison else { return lines }
    for (label, names) in [
      ("both", comparison.matched), ("only here", comparison.onlyHere),
      ("only there", comparison.onlyThere),
    ] where !names.isEmpty {
      let shown = isFull ? names[...] : names.prefix(Self.mostNames)
      let rest = names.count - shown.count
      let list =
        shown.map(\.printable).joined(separator: ", ") + (rest > 0 ? ", … \(rest) more" : "")
      lines += row("", "\(label): \(list)", isDim: true)
    }
    return lines
  }

  private func group(_ membership: Explanation.Membership) -> [String] {
    var lines = row("Group", "\(membership.group.printable): \(Self.words(for: membership.found))")
    for sentence in Self.words(for: membership) { lines += row("", sentence.printable) }
    return lines
  }

  /// Returns the later changes of a report's group, one sentence each.
  package static func words(for membership: Explanation.Membership) -> [String] {
    let placement = membership.reportMembership
    var words: [String] = []
    if let source = placement.splitFrom {
      let rule = placement.rule.map { ", as its reports match \($0)" } ?? ", by its key"
      words.append("Someone split \(placement.home) off \(source)\(rule).")
    }
    if placement.home != placement.group {
      words.append("It belongs to \(placement.home), which was merged into \(placement.group).")
    }
    if let owner = membership.ownerOfKey, placement.splitFrom == nil {
      words.append("Its key leads to \(owner) now.")
    }
    return words
  }

  /// Returns how a report found its group, as a sentence.
  package static func words(for found: MatchReason) -> String {
    switch found {
    case .new: "no group had its keys, so it opened this one"
    case .key: "the group had its key"
    case .reading:
      "stored reports could be read so that they have its key"
    case .alternative(let key): "the group had its other key \(key.prefix(8).description.printable)"
    case .followed:
      "late debug files or other rules changed its key, and its group adopted the new key"
    case .moved(let group):
      "debug files or reports that arrived later showed that it belongs here; it moved from "
        + group.printable
    case .merged(let group):
      "debug files or reports that arrived later showed that \(group.printable), where it was, is "
        + "one with this"
    case .linked(let words): "likeness joined its group to this: \(words.printable)"
    case .unknown: "how it got there was not recorded"
    }
  }

  private func row(_ label: String, _ value: String, isDim: Bool = false) -> [String] {
    value.lines(of: width - 12).enumerated().map { number, line in
      styles.dim((number == 0 && !label.isEmpty ? "  " + label : "").padded(to: 12))
        + (isDim ? styles.dim(line) : line)
    }
  }
}
