internal import CrashModel
package import CrashService
internal import CrashStore
internal import Identifiers
internal import Likeness

extension Comparison {
  /// Whether they are in one group, as a sentence.
  package var verdict: String {
    guard let isOneGroup, let one = first.membership?.group, let other = second.membership?.group
    else {
      return isOneKey
        ? "Both have one key, so they belong to one group."
        : "They have two keys, so they belong to two groups, unless these were merged."
    }
    return isOneGroup ? "Both are in \(one)." : "A is in \(one), B is in \(other)."
  }

  /// The reasons, from the most to the least important; one sentence each.
  package var reasons: [String] {
    var reasons: [String] = []
    guard first.app == second.app else {
      return ["They belong to two apps, \(first.app) and \(second.app): a group is of one app."]
        + [likenessReason].compactMap(\.self)
    }
    if first.signature.rules != second.signature.rules {
      reasons.append(
        "They were signed by two versions of the rules, \(first.signature.rules) and "
          + "\(second.signature.rules), which give no key in common.")
    }
    if isOneKey {
      reasons.append(
        first.signature.text == second.signature.text
          ? "Their texts are the same, so they have the same key."
          : "Their texts differ only in the kind of error, which is not in the key.")
      if isOneGroup == false {
        reasons += [("A", first), ("B", second)].compactMap(Self.way)
      }
      return reasons
    }
    reasons += alternativeReasons
    for (name, one) in [("A", first), ("B", second)] where one.signature.isProvisional {
      let ids = one.signature.waitsFor.map(\.description).joined(separator: ", ")
      let file = ids.isEmpty ? "a debug file" : "the debug file of \(ids)"
      reasons.append(
        "\(name) is provisional: it waits for \(file), and its text holds an offset where the other "
          + "may have a function. Its key changes when the file arrives.")
    }
    let categories = (first.signature.category, second.signature.category)
    if categories.0 != categories.1 {
      reasons.append(
        "Their categories differ: A is \(categories.0.rawValue), B is \(categories.1.rawValue).")
    }
    if let parting = parting { reasons.append(parting) }
    reasons += [likenessReason, linkReason].compactMap(\.self)
    if isOneGroup == true { reasons += [("A", first), ("B", second)].compactMap(Self.way) }
    return reasons
  }

  private var likenessReason: String? {
    stacks.map { stacks in
      let left =
        stacks.leftOut == 0 ? "" : ", besides \(stacks.leftOut) that only show how the process died"
      return
        "The likeness of their stacks is \(stacks.likeness.text): \(stacks.likeness.matchedFrames) of "
        + "\(stacks.frames) frames agree\(left)."
    }
  }

  /// Whether the link rule applies, or why not.
  private var linkReason: String? {
    switch stacks?.link {
    case .rule(let rule):
      "Rule \(rule.rawValue) links them, unless the app's links are off or a user separated them."
    case .neverLinked:
      "They are not linked: one is provisional, has a fingerprint, or no frame gave a part of its "
        + "text."
    case .otherWords: "They are not linked: the words of their texts differ."
    case .noFunctions:
      "Rule L1 does not link them: it needs two functions of the app in each stack."
    case .otherFunctions:
      "Rule L1 does not link them: the two functions of the app nearest to the crash differ."
    case .fewFrames: "Rule L1 does not link them: it needs four frames that agree."
    case .unlike: "Rule L1 does not link them: it needs a likeness of .70."
    case nil: nil
    }
  }

  private var alternativeReasons: [String] {
    var reasons: [String] = []
    for (name, one, otherName, other) in [
      ("A", first, "B", second), ("B", second, "A", first),
    ] {
      guard let reading = one.alternatives.first(where: { $0.key == other.signature.key }) else {
        continue
      }
      let how = reading.reading.map { ", \($0)," } ?? ""
      if reading.reading == Signature.weakRule, isOneBuild {
        reasons.append(
          "\(name) could be read\(how) so that it has the key of \(otherName), but both come from one build, "
            + "which shows the function as a call of its own.")
        continue
      }
      let end =
        isOneGroup == false
        ? " That key counts only when no group has the report's own, and one had."
        : " That key finds the group when no group has the report's own."
      reasons.append("\(name) can be read\(how) so that it has the key of \(otherName).\(end)")
    }
    guard reasons.isEmpty else { return reasons }
    let keys = Set(second.alternatives.map(\.key))
    if let common = first.alternatives.first(where: { keys.contains($0.key) }) {
      let text = common.text.map { " “\($0)”" } ?? ""
      reasons.append(
        isOneGroup == true
          ? "Both can be read as\(text)."
          : "Both can be read as\(text), but reports that have no more than that in common stay apart."
      )
    }
    if isOneGroup == true, reasons.isEmpty {
      reasons.append(
        "Neither can be read as the other: other reports of the group lie between them, whose keys can, or "
          + "a user merged their former groups.")
    }
    return reasons
  }

  /// Whether both reports are of one version and build.
  private var isOneBuild: Bool {
    let (one, other) = (first.report.app, second.report.app)
    return one.version == other.version && one.build == other.build
  }

  /// Where the texts diverge.
  private var parting: String? {
    let (one, other) = (first.pieces.filter(\.isInKey), second.pieces.filter(\.isInKey))
    guard
      let index = (0..<max(one.count, other.count)).first(where: { index in
        guard one.indices.contains(index), other.indices.contains(index) else { return true }
        return one[index].text != other[index].text
      })
    else { return nil }
    func name(_ pieces: [Explanation.Piece]) -> String {
      guard pieces.indices.contains(index) else { return "nothing more" }
      let frame = pieces[index].frames.first.map { " (frame \($0))" } ?? ""
      return "“\(pieces[index].text)”\(frame)"
    }
    let title = first.signature.titlePiece ?? second.signature.titlePiece
    let counted = title == nil ? "" : ", counting those in the key"
    return "They diverge at part \(index + 1)\(counted): A has \(name(one)), B has \(name(other))."
  }

  /// Returns how a report with another key got into the group.
  private static func way(_ name: String, _ one: Explanation) -> String? {
    guard let membership = one.membership else { return nil }
    let later = ExplanationText.words(for: membership)
    let found = ExplanationText.words(for: membership.found) + "."
    return ([name + ": " + found] + later).joined(separator: " ")
  }
}
