internal import Bytes
package import CrashService
package import CrashStore
internal import Identifiers
package import ServerStore

/// The alerts of a home.
package struct LocalAlerts: AlertService {
  private let table: AlertsTable
  private let store: CrashStore

  package init(_ table: AlertsTable, in store: CrashStore) {
    self.table = table
    self.store = store
  }

  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AlertError {
      throw ServiceError(error)
    }
  }

  package func alertRules() throws -> [AlertRule] { try table.rules() }

  package func alertTargets() throws -> [AlertTargetSummary] {
    try table.targets().map { AlertTargetSummary($0) }
  }

  package func addAlertRule(_ fields: AlertRuleFields, by author: String) throws -> AlertRule {
    try changing {
      var rule = try fields.rule(of: author, now: .now)
      rule.number = try rule.add(to: table, of: store)
      return rule
    }
  }

  package func removeAlertRule(_ number: Int) throws {
    try changing { try table.removeRule(number, now: .now) }
  }

  package func setAlertTarget(
    _ target: AlertTarget, isForTesters: Bool
  ) throws -> StoredAlertTarget {
    try changing {
      var target = target
      var newSecret: String?
      if case .webhook(var hook) = target.way, hook.secret == nil {
        if case .webhook(let former)? = try table.targets().first(where: { $0.name == target.name }
        )?
        .way, former.preset == hook.preset, former.secret != nil {
          hook.secret = former.secret
        } else if hook.preset == .json {
          newSecret = AlertTarget.newSecret()
          hook.secret = newSecret
        }
        target.way = .webhook(hook)
      }
      try table.set(target, now: .now)
      if isForTesters { try table.chooseForTesters(target.name) }
      return StoredAlertTarget(target: AlertTargetSummary(target), secret: newSecret)
    }
  }

  package func removeAlertTarget(_ name: String) throws {
    try changing { try table.removeTarget(name) }
  }

  package func testAlertTarget(_ name: String) throws -> AlertTest {
    try changing {
      let (isSent, answer) = try AlertRound.test(name, in: table)
      return AlertTest(isSent: isSent, answer: answer)
    }
  }

  package func alertLog(_ limit: Int) throws -> [AlertDelivery] { try table.log(limit) }
}
