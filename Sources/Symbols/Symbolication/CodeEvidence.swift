/// The evidence of a report's addresses for or against a debug file that was found by its name alone.
///
/// Some return addresses of the right build do not follow a call, either: Go's `goexit` is put below each
/// goroutine by hand, signal handlers return to code that nothing calls, and damaged stacks may contain
/// anything. For another build nearly all addresses do not fit. So the majority decides, and never one
/// address alone.
struct CodeEvidence {
  /// The most reasons that are listed.
  private static let mostReasons = 3
  /// The fewest contradictions for which a file is rejected.
  private static let fewestContradictions = 2

  /// The addresses that were compared with the code.
  private(set) var addressCount = 0
  /// The number of them that do not fit.
  private(set) var contradictionCount = 0
  private var reasons: [String] = []

  /// Whether the file belongs to another build.
  var isAgainst: Bool {
    contradictionCount >= Self.fewestContradictions
      && contradictionCount > addressCount - contradictionCount
  }

  /// The reason why addresses do not fit: `0x5ce41 does not follow a call in its code (1 of 6 addresses)`;
  /// `nil` where all do.
  var description: String? {
    guard contradictionCount > 0 else { return nil }
    let more = contradictionCount > reasons.count ? ", ..." : ""
    return reasons.joined(separator: ", ") + more
      + " (\(contradictionCount) of \(addressCount) address\(addressCount == 1 ? "" : "es"))"
  }

  /// Counts an address.
  ///
  /// - Parameter contradiction: The reason why it does not fit; `nil` where it does.
  mutating func add(_ contradiction: String?) {
    addressCount += 1
    guard let contradiction else { return }
    contradictionCount += 1
    if reasons.count < Self.mostReasons { reasons.append(contradiction) }
  }
}
