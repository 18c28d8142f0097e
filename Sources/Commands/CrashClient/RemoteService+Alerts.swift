internal import APIDocuments
package import CrashService
internal import Documents
package import ServerStore

extension RemoteService: AlertService {
  package func alertRules() throws -> [AlertRule] {
    try all(.listAlertRules) { try AlertRule($0) }.items
  }

  package func alertTargets() throws -> [AlertTargetSummary] {
    try all(.listAlertTargets) { try AlertTargetSummary($0) }.items
  }

  package func addAlertRule(_ fields: AlertRuleFields, by author: String) throws -> AlertRule {
    try AlertRule(ask(.addAlertRule, sending: fields))
  }

  package func removeAlertRule(_ number: Int) throws {
    _ = try bytes(.removeAlertRule, ["\(number)"])
  }

  package func setAlertTarget(
    _ target: AlertTarget, isForTesters: Bool
  ) throws -> StoredAlertTarget {
    try StoredAlertTarget(
      ask(
        .setAlertTarget,
        sending: AlertTargetRequest(target, isForTesters: isForTesters)))
  }

  package func removeAlertTarget(_ name: String) throws {
    _ = try bytes(.removeAlertTarget, [name])
  }

  package func testAlertTarget(_ name: String) throws -> AlertTest {
    try AlertTest(decoded(bytes(.testAlertTarget, [name])))
  }

  package func alertLog(_ limit: Int) throws -> [AlertDelivery] {
    try all(.listAlertDeliveries, limit: limit) { try AlertDelivery($0) }.items
  }
}
