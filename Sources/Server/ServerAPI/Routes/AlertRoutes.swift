internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for alert rules, their targets and deliveries.
enum AlertRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .listAlertRules, "Alert rules, in order of creation.", tag: "alerts", access: .admin,
      returns: .page("AlertRule")
    ) { try AlertsEndpoint(context: $1).rules($0) },
    APIRoute(
      .addAlertRule, "Add an alert rule, which covers events from now on.", tag: "alerts",
      access: .admin, returns: .json(.created, "The rule.", .named("AlertRule")),
      refusals: [.notFound]
    ) { try AlertsEndpoint(context: $1).addRule($0) },
    APIRoute(
      .removeAlertRule, "Remove an alert rule with its unsent alerts.", tag: "alerts",
      access: .admin, returns: .empty(.noContent, "Removed.")
    ) { try AlertsEndpoint(context: $1).removeRule($0) },
    APIRoute(
      .listAlertTargets, "Targets of alerts, by name, without their secrets.", tag: "alerts",
      access: .admin, returns: .page("AlertTarget")
    ) { try AlertsEndpoint(context: $1).targets($0) },
    APIRoute(
      .setAlertTarget, "Add a target of alerts, or replace the one with its name.",
      tag: "alerts", access: .admin,
      returns: .json(.ok, "The target.", .named("StoredAlertTarget"))
    ) { try AlertsEndpoint(context: $1).setTarget($0) },
    APIRoute(
      .removeAlertTarget, "Remove a target that no rule uses.", tag: "alerts", access: .admin,
      returns: .empty(.noContent, "Removed."), refusals: [.conflict]
    ) { try AlertsEndpoint(context: $1).removeTarget($0) },
    APIRoute(
      .testAlertTarget, "Send a sample to a target.", tag: "alerts", access: .admin,
      returns: .json(.ok, "The outcome.", .named("AlertTest"))
    ) { try AlertsEndpoint(context: $1).test($0) },
    APIRoute(
      .listAlertDeliveries, "The last 1,000 deliveries, newest first.", tag: "alerts",
      access: .admin, returns: .page("AlertDelivery")
    ) { try AlertsEndpoint(context: $1).log($0) },
  ]
}
