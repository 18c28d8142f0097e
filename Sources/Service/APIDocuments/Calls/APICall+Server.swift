internal import CrashService
internal import Documents

/// Calls about figures, tokens, maintenance, and the server itself.
extension APICall {
  package static let getStats = APICall("getStats", "GET", "/api/v1/stats", query: [.ofApp])
  package static let getLedger = APICall("getLedger", "GET", "/api/v1/ledger", query: [.ofApp])
  package static let getSessions = APICall(
    "getSessions", "GET", "/api/v1/sessions",
    query: [
      .ofApp, .asked("from", .day, "The first day."), .asked("to", .day, "The last day."),
      .onlyVersion,
    ] + .pages)
  package static let submitSessions = APICall(
    "submitSessions", "POST", "/api/v1/sessions",
    query: [.asked("app", .text(atLeast: 1), "The app of the sessions; not with an app key.")])
  package static let getSessionTrend = APICall(
    "getSessionTrend", "GET", "/api/v1/sessions/trend",
    query: [.ofApp] + .trend() + [.onlyVersion])

  // MARK: Tokens

  package static let listTokens = APICall("listTokens", "GET", "/api/v1/tokens", query: .pages)
  package static let makeToken = APICall(
    "makeToken", "POST", "/api/v1/tokens", body: TokenRequest.declaration)
  package static let revokeToken = APICall("revokeToken", "DELETE", "/api/v1/tokens/:id")
  package static let listAudit = APICall("listAudit", "GET", "/api/v1/audit", query: .pages)

  package static let beginSignIn = APICall(
    "beginSignIn", "POST", "/api/v1/sign-ins", body: CommandSignInRequest.declaration)
  package static let finishSignIn = APICall(
    "finishSignIn", "POST", "/api/v1/sign-ins/token", body: CommandTokenRequest.declaration)

  // MARK: Accounts

  package static let listAccounts = APICall(
    "listAccounts", "GET", "/api/v1/accounts", query: .pages)
  package static let addAccount = APICall(
    "addAccount", "POST", "/api/v1/accounts", body: AccountRequest.declaration)
  package static let removeAccount = APICall("removeAccount", "DELETE", "/api/v1/accounts/:id")
  package static let makeSignInLink = APICall(
    "makeSignInLink", "POST", "/api/v1/accounts/:id/link")
  package static let setRole = APICall(
    "setRole", "PUT", "/api/v1/accounts/:id/role", body: RoleRequest.declaration)

  // MARK: Alerts

  package static let listAlertRules = APICall(
    "listAlertRules", "GET", "/api/v1/alerts/rules", query: .pages)
  package static let addAlertRule = APICall(
    "addAlertRule", "POST", "/api/v1/alerts/rules", body: AlertRuleFields.declaration)
  package static let removeAlertRule = APICall(
    "removeAlertRule", "DELETE", "/api/v1/alerts/rules/:id")
  package static let listAlertTargets = APICall(
    "listAlertTargets", "GET", "/api/v1/alerts/targets", query: .pages)
  package static let setAlertTarget = APICall(
    "setAlertTarget", "POST", "/api/v1/alerts/targets", body: AlertTargetRequest.declaration)
  package static let removeAlertTarget = APICall(
    "removeAlertTarget", "DELETE", "/api/v1/alerts/targets/:id")
  package static let testAlertTarget = APICall(
    "testAlertTarget", "POST", "/api/v1/alerts/targets/:id/test")
  package static let listAlertDeliveries = APICall(
    "listAlertDeliveries", "GET", "/api/v1/alerts/log", query: .pages)

  // MARK: Maintenance

  package static let erase = APICall(
    "erase", "POST", "/api/v1/erase", body: ErasureRequest.declaration)
  package static let clearTrial = APICall("clearTrial", "DELETE", "/api/v1/doctor")
  package static let listQuarantined = APICall(
    "listQuarantined", "GET", "/api/v1/intake", query: .pages)
  package static let showQuarantined = APICall("showQuarantined", "GET", "/api/v1/intake/:id")
  package static let getQuarantined = APICall("getQuarantined", "GET", "/api/v1/intake/:id/raw")
  package static let retryAll = APICall("retryAll", "POST", "/api/v1/intake/retry")
  package static let retryQuarantined = APICall(
    "retryQuarantined", "POST", "/api/v1/intake/:id/retry")
  package static let discardQuarantined = APICall(
    "discardQuarantined", "DELETE", "/api/v1/intake/:id")

  // MARK: The server

  package static let getDescription = APICall("getDescription", "GET", "/api/v1/openapi.json")
  package static let getHealth = APICall("getHealth", "GET", "/healthz")
  package static let getReadiness = APICall("getReadiness", "GET", "/readyz")
  package static let getMetrics = APICall("getMetrics", "GET", "/metrics")
  package static let sendMessage = APICall("sendMessage", "POST", "/mcp")
}

extension APIParameter {
  fileprivate static let onlyVersion = asked("version", .text(), "Only this version.")
}
