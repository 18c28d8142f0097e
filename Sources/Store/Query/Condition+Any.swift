extension Condition {
  /// A condition that holds where one of several does, whatever their fields. None of them may be
  /// negated, or be about a tag.
  public init(anyOf conditions: [Condition]) {
    self.init(
      field: .words, isNegated: false, alternatives: conditions.flatMap(\.alternatives))
  }
}
