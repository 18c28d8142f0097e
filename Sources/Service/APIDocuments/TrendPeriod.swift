/// The period by which the reports of a trend are counted.
package enum TrendPeriod: String, CaseIterable, Sendable {
  case day
  /// A week from Monday to Sunday (ISO 8601).
  case week
  case month
}
