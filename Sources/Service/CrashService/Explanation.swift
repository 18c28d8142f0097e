package import CrashModel
package import CrashStore
package import Grouping
package import ReportDocument

/// An explanation of a report's signature.
package struct Explanation {
  /// A part of the signature's text.
  package struct Piece: Equatable {
    package let text: String
    /// The frames that contributed it; empty for words about the report.
    package let frames: [Int]
    /// Whether the key includes it.
    package var isInKey = true

    package init(text: String, frames: [Int], isInKey: Bool = true) {
      self.text = text
      self.frames = frames
      self.isInKey = isInKey
    }
  }

  /// The text of another key of the report.
  package struct Alternative {
    package let key: String
    /// `nil` where the document does not have it.
    package let text: String?
    /// How the report was read: `without inlined calls`.
    package let reading: String?

    package init(key: String, text: String?, reading: String?) {
      self.key = key
      self.text = text
      self.reading = reading
    }
  }

  /// The group in a store.
  package struct Membership {
    package let reportMembership: ReportMembership
    /// The group that owns the report's key, if it is another one.
    package let ownerOfKey: String?

    package var group: String { reportMembership.group }
    package var found: MatchReason { reportMembership.found }

    package init(reportMembership: ReportMembership, ownerOfKey: String?) {
      self.reportMembership = reportMembership
      self.ownerOfKey = ownerOfKey
    }
  }

  package let id: String
  package let app: String
  package let report: CrashReport
  package let signature: Signature
  /// The report's group; `nil` for a report that is not in a store.
  package let membership: Membership?
  /// The maximum number of similar groups in an explanation.
  package static let nearestGroups = 3

  /// The groups with the stacks most similar to the report's, besides its own; empty for a report that is not
  /// in a store.
  package var nearest: [RelatedGroup] = []
  /// The rules whose lines the steps name.
  package var ruleSet: GroupingRules

  /// Creates an explanation; `nil` for a report without a signature.
  ///
  /// - Parameter rules: The rules that made it. Default: the built-in ones of their version.
  package init?(
    _ stored: StoredReport, app: String, membership: Membership? = nil, rules: GroupingRules? = nil
  ) {
    guard let signature = stored.report.signature else { return nil }
    ruleSet = rules ?? GroupingRules(builtIn: signature.rules) ?? .standard
    id = stored.id
    self.app = app
    report = stored.report
    self.signature = signature
    self.membership = membership
  }

  /// The choice of the stack.
  package var stack: String? { signature.steps.first.flatMap { $0.frame == nil ? $0.result : nil } }

  /// The decisions about the report as a whole, except the choice of the stack, which is the first step.
  /// Messages may have any text, so steps are identified by position.
  package var decisions: [SignatureStep] {
    signature.steps.dropFirst().dropLast(readings.count).filter { $0.frame == nil }
  }

  /// The texts of the alternative keys, which stand last; none where the document does not have all of them.
  private var readings: ArraySlice<SignatureStep> {
    let last = signature.steps.suffix(signature.alternativeKeys.count)
    return last.allSatisfy { $0.frame == nil && $0.subject == Signature.alternativeSubject }
      ? last : []
  }

  package var frames: [SignatureStep] { signature.steps.filter { $0.frame != nil } }

  package var alternatives: [Alternative] {
    let texts = Array(readings)
    return signature.alternativeKeys.enumerated().map { index, key in
      let step = texts.indices.contains(index) ? texts[index] : nil
      return Alternative(key: key, text: step?.result, reading: step?.rule)
    }
  }

  /// The parts of the text: those only in the title, words about the report, then those of the frames.
  package var pieces: [Piece] {
    let title = signature.titlePiece.map { Piece(text: $0, frames: [], isInKey: false) }
    return [title].compactMap(\.self) + keyPieces
  }

  private var keyPieces: [Piece] {
    var own: [(text: String, frames: [Int])] = []
    for step in frames where step.used {
      guard let frame = step.frame else { continue }
      if own.last?.text == step.result {
        own[own.count - 1].frames.append(frame)
      } else {
        own.append((step.result, [frame]))
      }
    }
    let tail = own.map(\.text).joined(separator: Self.separator)
    let text = String(signature.keyText)
    if !tail.isEmpty, text == tail || text.hasSuffix(Self.separator + tail) {
      let head = text.dropLast(tail.utf8.count == text.utf8.count ? text.count : tail.count + 3)
      return Self.words(String(head)) + own.map { Piece(text: $0.text, frames: $0.frames) }
    }
    // One cycle of a recursion is one piece.
    let used = frames.filter(\.used).compactMap(\.frame)
    let parts = Self.words(text)
    guard let last = parts.last, !used.isEmpty else { return parts }
    return parts.dropLast() + [Piece(text: last.text, frames: used)]
  }

  private static let separator = " | "

  private static func words(_ text: String) -> [Piece] {
    text.isEmpty
      ? [] : text.split(separator: separator).map { Piece(text: String($0), frames: []) }
  }

  /// Returns the list entries that decided on frames, each once, in the order of the stack.
  package func rules(of steps: [SignatureStep]) -> [RuleLine] {
    var seen: Set<String> = []
    return steps.compactMap { step in
      seen.insert(step.rule).inserted ? ruleSet.line(step.rule) : nil
    }
  }
}
