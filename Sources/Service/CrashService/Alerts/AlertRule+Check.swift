package import CrashStore
internal import Query
package import ServerStore

extension AlertRule {
  /// Stores a rule, which covers events from now on.
  ///
  /// - Returns: Its number.
  /// - Throws: ``AlertError``; `DatabaseError`.
  package func add(to table: AlertsTable, of store: CrashStore) throws -> Int {
    try check()
    if let app {
      do {
        _ = try store.apps.existingName(of: app)
      } catch StoreError.unknownApp(let name, let near) {
        throw AlertError.unknownApp(name, near: near)
      }
    }
    return try table.add(
      self,
      after: kind.isAboutDistribution
        ? store.distribution.lastNews() : store.groups.lastEvents())
  }

  /// - Throws: ``AlertError/invalid(_:)`` that names the problem.
  func check() throws(AlertError) {
    do {
      if try Query(query, now: created).isAboutCaller {
        throw AlertError.invalid("a rule cannot have assignee:me; write the name of the assignee")
      }
    } catch let error as AlertError {
      throw error
    } catch {
      throw .invalid("cannot read the query: \(error)")
    }
    if kind == .crashFree || kind == .quarantine, !query.isEmpty {
      throw .invalid(
        "\(kind.rawValue) takes no query: "
          + (kind == .crashFree ? "sessions" : "submissions in quarantine")
          + " have no fields to search")
    }
    if kind == .quarantine, app != nil {
      throw .invalid("quarantine takes no app: the app of a quarantined submission is unknown")
    }
    if kind.isAboutDistribution, !query.isEmpty {
      throw .invalid("\(kind.rawValue) takes no query: it is about no reports")
    }
    if let app, app.isEmpty { throw .invalid("the name of the app is empty") }
    guard least >= 1 else { throw .invalid("the minimum must be 1 or more") }
    switch kind {
    case .spike:
      guard (3_600...7 * 86_400).contains(window) else {
        throw .invalid("the window of a spike must be 1h to 7d")
      }
      guard factor >= 110 else { throw .invalid("the factor of a spike must be 1.1 or more") }
      guard basis == .groups || basis == .app else {
        throw .invalid("a spike counts groups or app")
      }
    case .crashFree:
      guard window % 86_400 == 0, (86_400...AlertRule.longestWindow).contains(window) else {
        throw .invalid("the window of a crash-free rate must be 1d to 28d, in whole days")
      }
      guard (1...100_00).contains(below) else {
        throw .invalid("a crash-free rate must be 0.01 to 100 percent")
      }
      guard basis == .sessions || basis == .users else {
        throw .invalid("a crash-free rate counts sessions or users")
      }
    case .newGroup, .regression, .missingSymbols, .quarantine, .release, .invitation: break
    }
  }

  /// The rule in a line: `spike of Tern (groups, 3 times as many in 1 h, at least 10)`.
  package var summary: String {
    var text = kind.rawValue
    if let app { text += " of \(app)" }
    switch kind {
    case .spike:
      text +=
        " (\(basis.rawValue), \(Self.decimal(factor, 100)) times as many in \(window / 3_600) h, at least \(least))"
    case .crashFree:
      text +=
        " below \(Self.decimal(below, 100))% (\(basis.rawValue), \(window / 86_400) d, at least \(least))"
    case .newGroup, .regression, .missingSymbols, .quarantine, .release, .invitation: break
    }
    return query.isEmpty ? text : text + ", where \(query)"
  }

  /// The schedule in a line: `daily at 09:00 +01:00, not 22:00-07:00`.
  package var schedule: String {
    let zoneText = zone == 0 ? "" : " " + DayMinute.zoneText(zone)
    var text =
      switch digest {
      case .immediately, .hourly: digest.text
      case .daily(let minute): "daily at \(DayMinute.text(minute))" + zoneText
      }
    if let quiet { text += ", not \(quiet.text)" + zoneText }
    return text
  }

  /// `2.5` for 250 and 100, without trailing zeros.
  package static func decimal(_ number: Int, _ unit: Int) -> String {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: unit)
    guard rest > 0 else { return "\(whole)" }
    var digits = String(String(unit + rest).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// Reads `99.5` or `99.95` as hundredths.
  package static func hundredths(_ text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...6).contains(parts[0].count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = Int(parts[0])
    else { return nil }
    guard parts.count == 2 else { return whole * 100 }
    guard (1...2).contains(parts[1].count), let rest = Int(parts[1]) else { return nil }
    return whole * 100 + (parts[1].count == 1 ? rest * 10 : rest)
  }
}
