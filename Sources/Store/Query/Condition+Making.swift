public import Identifiers

extension Condition {
  /// A condition that holds where one of several does, whatever their fields. None of them may be
  /// negated, or be about a tag.
  public init(anyOf conditions: [Condition]) {
    self.init(
      field: .words, isNegated: false, alternatives: conditions.flatMap(\.alternatives))
  }

  /// A condition that holds for reports received at a time or later, to the microsecond: times in the text of
  /// a query are whole seconds.
  public init(receivedSince time: Timestamp) {
    let start = Timestamp(microseconds: time.microseconds)
    self.init(
      field: .received, isNegated: false,
      alternatives: [
        Alternative(
          test: .time(Bounds(.atLeast, start)), sources: [.received], text: ">=\(start)")
      ])
  }
}
