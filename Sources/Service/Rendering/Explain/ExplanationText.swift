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

  /// The number of frames shown of a part of the stack that contributes nothing.
  private static let mostLeftOut = 3
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
    lines += row("Category", category + ": " + Self.meaning(of: explanation.signature.category))
    for step in explanation.decisions {
      lines += row("", Self.words(for: step).printable)
    }
    return lines
  }

  private static func words(for step: SignatureStep) -> String {
    // A message on a list identifies the bug no better than the signal does.
    step.result == "not used"
      ? "“\(step.subject)” is not used, by \(step.rule)"
      : "\(step.subject) is \(step.result)"
        + (step.rule == Signature.titleRule ? ", \(step.rule)" : "")
  }

  private static func meaning(of category: SignatureCategory) -> String {
    switch category {
    case .handled: "an error that was handled"
    case .oom: "memory ran out"
    case .watchdog: "ended for being late"
    case .hang: "it hangs"
    case .stackOverflow: "the stack was used up"
    case .assertion: "the program printed what was wrong"
    case .exception: "an exception that nothing caught"
    case .abort: "it ended itself without a message"
    case .signal: "a fault that the system saw"
    }
  }

  // MARK: The stack

  /// A part of the stack, as the walk classified it.
  private enum Zone: Equatable {
    case above, walk, below

    init(_ step: SignatureStep) {
      switch step.leftOut {
      case .above: self = .above
      case .below: self = .below
      default: self = .walk
      }
    }

    var title: String {
      switch self {
      case .above: "Above the frame that ended the process, and left out:"
      case .walk: "From there down to the function that ends the walk:"
      case .below: "Below it, and left out:"
      }
    }
  }

  /// Returns the lines, and the frames in them.
  private func frames(of explanation: Explanation) -> ([String], [SignatureStep]) {
    let steps = explanation.frames
    guard !steps.isEmpty else { return ([], []) }
    var lines: [String] = []
    var shown: [SignatureStep] = []
    var rest = steps[...]
    var isFirst = true
    while let first = rest.first {
      let zone = Zone(first)
      let part = rest.prefix { Zone($0) == zone }
      rest = rest.dropFirst(part.count)
      let isAlone = isFirst && zone == .walk
      lines += ["", styles.strong(isAlone ? "From the top of the stack:" : zone.title)]
      isFirst = false
      for run in Self.runs(of: part, folding: !isFull) {
        switch run {
        case .frame(let step):
          lines += self.lines(for: step)
          shown.append(step)
        case .folded(let steps):
          let what = GroupText.count(steps.count, "more frame", "more frames")
          lines.append(styles.dim("       … \(what)\(Self.more(steps))"))
        }
      }
    }
    return (lines, shown)
  }

  private enum FrameRun {
    case frame(SignatureStep)
    case folded([SignatureStep])
  }

  /// Returns frames in sequences; long sequences that contribute nothing are folded.
  private static func runs(
    of part: ArraySlice<SignatureStep>, folding isFolding: Bool
  ) -> [FrameRun] {
    var runs: [FrameRun] = []
    var rest = part
    while let first = rest.first {
      let alike = rest.prefix { $0.used == first.used && $0.leftOut == first.leftOut }
      rest = rest.dropFirst(alike.count)
      let isDull = !first.used && first.leftOut != .byClass
      guard isFolding, isDull, alike.count > mostLeftOut + 1 else {
        runs += alike.map(FrameRun.frame)
        continue
      }
      runs += alike.prefix(mostLeftOut).map(FrameRun.frame)
      runs.append(.folded(Array(alike.dropFirst(mostLeftOut))))
    }
    return runs
  }

  private static func more(_ steps: [SignatureStep]) -> String {
    steps.first?.leftOut.flatMap(reason).map { ": " + $0 } ?? ""
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
      let from = Self.source(of: piece)
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

  private static func source(of piece: Explanation.Piece) -> String {
    switch piece.frames.count {
    case 0 where !piece.isInKey: "from the report's reason, not in the key"
    case 0: "from the report's reason"
    case 1: "frame \(piece.frames[0])"
    case 2...4: "frames " + piece.frames.map(String.init).joined(separator: ", ")
    default: "frames \(piece.frames[0]) to \(piece.frames[piece.frames.count - 1])"
    }
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
    if signature.isProvisional {
      let ids = signature.waitsFor.map(\.description).joined(separator: ", ")
      let what = ids.isEmpty ? "a debug file" : "the debug file of \(ids)"
      lines += row("Waits", "for \(what), which will replace an offset by a name")
    }
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
