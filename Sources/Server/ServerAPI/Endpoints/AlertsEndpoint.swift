internal import APIDocuments
internal import Alerts
internal import Bytes
internal import CrashService
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore

/// Alert rules, their targets and deliveries.
package struct AlertsEndpoint {
  package let context: ServerContext

  private var alerts: LocalAlerts { LocalAlerts(context.alerts, in: context.store) }

  package func rules(_ request: Request) throws -> Response {
    .page(
      try ListPaging(request).page(of: alerts.alertRules()) { "\($0.number)" }
    ) { $0.write($1) }
  }

  package func addRule(_ request: Request) throws -> Response {
    let input = try AlertRuleFields(request)
    return try .refusing(member: "query") {
      let caller = try context.access.caller(of: request.head, .admin).get()
      let rule = try alerts.addAlertRule(input, by: caller.label)
      try note("add alert rule", "\(rule.number)", request)
      return .document(status: .created) { $0.write(rule) }
    }
  }

  package func removeRule(_ request: Request) throws -> Response {
    try .refusing {
      guard let number = Int(id(request)) else {
        throw ServiceError("there is no rule with that number", .notFound)
      }
      try alerts.removeAlertRule(number)
      try note("remove alert rule", "\(number)", request)
      return .empty()
    }
  }

  package func targets(_ request: Request) throws -> Response {
    .page(try ListPaging(request).page(of: alerts.alertTargets(), key: \.name)) { $0.write($1) }
  }

  package func setTarget(_ request: Request) throws -> Response {
    let input = try AlertTargetRequest(request)
    return try .refusing {
      let stored = try alerts.setAlertTarget(input.target, isForTesters: input.isForTesters)
      try note("set alert target", stored.target.name, request)
      return .document { $0.write(stored) }
    }
  }

  package func removeTarget(_ request: Request) throws -> Response {
    try .refusing {
      try alerts.removeAlertTarget(id(request))
      try note("remove alert target", id(request), request)
      return .empty()
    }
  }

  package func test(_ request: Request) throws -> Response {
    try .refusing {
      let test = try alerts.testAlertTarget(id(request))
      try note("test alert target", id(request), request)
      return .document { $0.write(test) }
    }
  }

  package func log(_ request: Request) throws -> Response {
    .page(
      try ListPaging(request).page(of: alerts.alertLog(AlertsTable.longestLog), key: \.id)
    ) { $0.write($1) }
  }

  private func id(_ request: Request) -> String { request.parameters["id"] ?? "" }

  private func note(_ action: String, _ subject: String, _ request: Request) throws {
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: request.peer))
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
