package import CrashModel
package import CrashService
internal import Identifiers

/// The parts of a stack in an explanation, in which long runs of frames that contribute nothing are folded.
package struct ExplanationOutline {
  /// Consecutive frames that the walk classified alike.
  package struct Part {
    /// A heading that ends with a colon.
    package let title: String
    package let runs: [FrameRun]
  }

  package enum FrameRun {
    case frame(SignatureStep)
    case folded([SignatureStep])
  }

  /// From the top of the stack; empty for a report without frames.
  package let parts: [Part]

  /// The number of frames shown of a part of the stack that contributes nothing.
  private static let mostLeftOut = 3

  /// - Parameter isFull: Whether every frame is shown.
  package init(_ explanation: Explanation, isFull: Bool = false) {
    var parts: [Part] = []
    var rest = explanation.frames[...]
    while let first = rest.first {
      let zone = Zone(first)
      let part = rest.prefix { Zone($0) == zone }
      rest = rest.dropFirst(part.count)
      let isAlone = parts.isEmpty && zone == .walk
      parts.append(
        Part(
          title: isAlone ? "From the top of the stack:" : zone.title,
          runs: Self.runs(of: part, folding: !isFull)))
    }
    self.parts = parts
  }

  /// The frames that are shown.
  package var shown: [SignatureStep] {
    parts.flatMap(\.runs).compactMap { if case .frame(let step) = $0 { step } else { nil } }
  }

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

  // MARK: Words

  /// `3 more frames: no part of the recursion`
  package static func words(forFolded steps: [SignatureStep]) -> String {
    GroupText.count(steps.count, "more frame", "more frames")
      + (steps.first?.leftOut.flatMap(ExplanationText.reason).map { ": " + $0 } ?? "")
  }

  /// Returns a decision about the whole report as a sentence.
  package static func words(for step: SignatureStep) -> String {
    // A message on a list identifies the bug no better than the signal does.
    step.result == "not used"
      ? "“\(step.subject)” is not used, by \(step.rule)"
      : "\(step.subject) is \(step.result)"
        + (step.rule == Signature.titleRule ? ", \(step.rule)" : "")
  }

  package static func meaning(of category: SignatureCategory) -> String {
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

  /// Returns where a piece of the text comes from: `frame 3`.
  package static func source(of piece: Explanation.Piece) -> String {
    switch piece.frames.count {
    case 0 where !piece.isInKey: "from the report's reason, not in the key"
    case 0: "from the report's reason"
    case 1: "frame \(piece.frames[0])"
    case 2...4: "frames " + piece.frames.map(String.init).joined(separator: ", ")
    default: "frames \(piece.frames[0]) to \(piece.frames[piece.frames.count - 1])"
    }
  }

  /// Returns what a signature without symbols waits for; `nil` for a final one.
  package static func wait(of signature: Signature) -> String? {
    guard signature.isProvisional else { return nil }
    let ids = signature.waitsFor.map(\.description).joined(separator: ", ")
    let what = ids.isEmpty ? "a debug file" : "the debug file of \(ids)"
    return "for \(what), which will replace an offset by a name"
  }
}
