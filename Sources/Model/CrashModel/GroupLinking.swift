/// Whether a report with a new key may join a group by likeness, where a rule decides it.
public enum GroupLinking: Hashable, Sendable, CustomStringConvertible {
  case off
  /// From this likeness on, in hundredths.
  case from(hundredths: Int)

  /// `off`, `0.7`, `0.65`; `nil` for anything else.
  public init?(_ text: String) {
    if text == "off" {
      self = .off
      return
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, whole == "0" || whole == "1" else { return nil }
    var value = whole == "1" ? 100 : 0
    if parts.count == 2 {
      let digits = parts[1].utf8
      guard (1...2).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let fraction = Int(parts[1])
      else { return nil }
      value += digits.count == 1 ? fraction * 10 : fraction
    }
    guard (1...100).contains(value) else { return nil }
    self = .from(hundredths: value)
  }

  /// `off`, `0.70`.
  public var description: String {
    switch self {
    case .off: "off"
    case .from(100): "1.00"
    case .from(let value): "0.\(value < 10 ? "0" : "")\(value)"
    }
  }
}

extension Signature {
  /// The subject of the step by which a rule decides about ``linking``.
  public static var linkingSubject: String { "link" }

  /// The decision of a custom rule about likeness; `nil` where there is none.
  public var linking: GroupLinking? {
    steps.first { $0.frame == nil && $0.subject == Self.linkingSubject }
      .flatMap { GroupLinking($0.result) }
  }
}
