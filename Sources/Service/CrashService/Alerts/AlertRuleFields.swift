package import Identifiers
package import ServerStore

/// A rule as entered on the command line or in a form.
package struct AlertRuleFields {
  package var kind = ""
  package var target = ""
  package var app: String?
  package var query: String?
  /// `immediately`, `hourly`, `09:00`
  package var digest: String?
  /// `22:00-07:00`
  package var quiet: String?
  /// `+01:00`
  package var zone: String?
  /// `1h`, `7d`
  package var window: String?
  package var least: String?
  /// `3`, `2.5`
  package var factor: String?
  /// `99.5`
  package var below: String?
  /// `groups`, `app`, `sessions`, `users`
  package var basis: String?

  package init() {}

  /// - Throws: ``AlertError/invalid(_:)`` that names the field.
  package func rule(of author: String, now: Timestamp) throws(AlertError) -> AlertRule {
    guard let kind = AlertRule.Kind(rawValue: kind) else {
      let kinds = AlertRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid("unknown kind of alert '\(kind)': use one of \(kinds)")
    }
    try checkFigures(of: kind)
    var rule = AlertRule(kind, to: target, created: now.wholeMicroseconds, author: author)
    rule.app = app
    rule.query = query ?? ""
    try read(digest, "a digest", "immediately, hourly or 09:00") { AlertDigest($0) }
      .map { rule.digest = $0 }
    rule.quiet = try read(quiet, "a span of quiet hours", "22:00-07:00") { QuietHours($0) }
    try read(zone, "a time zone", "+01:00 or UTC") { DayMinute.readZone($0) }.map { rule.zone = $0 }
    try read(window, "a length of time", "1h or 7d") { text in
      TimeLength(argument: text).flatMap { $0.seconds <= 28 * 86_400 ? Int($0.seconds) : nil }
    }.map { rule.window = $0 }
    try read(least, "a number", "10") { Int($0).flatMap { $0 <= 1 << 40 ? $0 : nil } }
      .map { rule.least = $0 }
    try read(factor, "a factor", "3 or 2.5") { AlertRule.hundredths($0) }.map { rule.factor = $0 }
    try read(below, "a rate", "99.5") { AlertRule.hundredths($0) }.map { rule.below = $0 }
    let bases = AlertRule.Basis.allCases.map(\.rawValue).joined(separator: ", ")
    try read(basis, "something to count", bases) { AlertRule.Basis(rawValue: $0) }
      .map { rule.basis = $0 }
    try rule.check()
    return rule
  }

  /// - Throws: ``AlertError/invalid(_:)`` that names a figure which rules of the kind do not have.
  private func checkFigures(of kind: AlertRule.Kind) throws(AlertError) {
    let figures: [(value: String?, name: String, kinds: [AlertRule.Kind])] = [
      (window, "window", [.spike, .crashFree]), (least, "minimum", [.spike, .crashFree]),
      (factor, "factor", [.spike]), (below, "rate", [.crashFree]),
      (basis, "choice of what to count", [.spike, .crashFree]),
    ]
    for figure in figures where figure.value != nil && !figure.kinds.contains(kind) {
      let kinds = figure.kinds.map(\.rawValue).joined(separator: " and ")
      throw .invalid("\(kind.rawValue) has no \(figure.name): that is for \(kinds)")
    }
  }

  private func read<Value>(
    _ text: String?, _ what: String, _ example: String, _ body: (String) -> Value?
  ) throws(AlertError) -> Value? {
    guard let text else { return nil }
    guard let value = body(text) else {
      throw .invalid("'\(text)' is not \(what): use \(example)")
    }
    return value
  }
}
