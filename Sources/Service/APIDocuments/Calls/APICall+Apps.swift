internal import CrashStore
internal import Documents

/// Calls about apps, their releases, and query fields.
extension APICall {
  package static let listApps = APICall("listApps", "GET", "/api/v1/apps", query: .pages)
  package static let getApp = APICall("getApp", "GET", "/api/v1/apps/:name")
  package static let getRegressions = APICall(
    "getRegressions", "GET", "/api/v1/apps/:name/regressions",
    query: [
      .asked("since", .day, "The first day to count."),
      .asked("release", .text(atLeast: 1), "Only releases that begin with this: 1.5.0 (600)."),
      .asked("group", .text(atLeast: 1), "Only this group, whatever its confidence."),
      .asked("confidence", .share, "Minimum confidence. Default: 0.99."),
      .asked(
        "limit", .integer(0...RegressionQuery.mostGroups),
        "Maximum number of groups. Default: \(RegressionQuery.usualLimit)."),
    ])
  package static let listFields = APICall("listFields", "GET", "/api/v1/fields")

  package static let addApp = APICall(
    "addApp", "POST", "/api/v1/apps", body: NewApp.declaration)
  package static let adoptApp = APICall(
    "adoptApp", "POST", "/api/v1/apps/adopt", body: SecretAdoption.declaration)
  package static let renameApp = APICall(
    "renameApp", "POST", "/api/v1/apps/rename", body: AppRenaming.declaration)
  package static let setPrefix = APICall(
    "setPrefix", "PUT", "/api/v1/apps/prefix", body: AppPrefix.declaration)
  package static let setLinking = APICall(
    "setLinking", "PUT", "/api/v1/apps/link", body: AppLinking.declaration)
  package static let setKnownFixPolicy = APICall(
    "setKnownFixPolicy", "PUT", "/api/v1/apps/known-fix", body: AppKnownFixes.declaration)
  package static let setTracker = APICall(
    "setTracker", "PUT", "/api/v1/apps/tracker", body: AppTracker.declaration)
  package static let setProtection = APICall(
    "setProtection", "PUT", "/api/v1/apps/protect", body: AppProtection.declaration)
  package static let keepReports = APICall(
    "keepReports", "PUT", "/api/v1/apps/keep", body: AppRetention.declaration)

  // MARK: Releases

  package static let listReleases = APICall(
    "listReleases", "GET", "/api/v1/releases", query: [.ofApp] + .pages)
  package static let getReleaseFigures = APICall(
    "getReleaseFigures", "GET", "/api/v1/releases/figures",
    query: [
      .named, .appOfNamed,
      .asked(
        "days", .integer(1...CrashStore.Releases.figureDays.most),
        "Days up to today to count. Default: \(CrashStore.Releases.figureDays.usual)."),
    ])
  package static let getRollout = APICall(
    "getRollout", "GET", "/api/v1/releases/rollout", query: [.named, .appOfNamed])
  package static let rollOut = APICall(
    "rollOut", "POST", "/api/v1/releases/rollout", body: RolloutRequest.declaration)
  package static let addReleases = APICall(
    "addReleases", "POST", "/api/v1/releases", body: NamedReleases.declaration)
  package static let removeReleases = APICall(
    "removeReleases", "POST", "/api/v1/releases/remove", body: NamedReleases.declaration)
  package static let orderReleases = APICall(
    "orderReleases", "PUT", "/api/v1/releases/order", body: NamedReleases.order)
}

extension APIParameter {
  fileprivate static let named = asked(
    "version", .text(atLeast: 1), "1.5.0 with all of its builds, or 1.5.0 (600).",
    isRequired: true)
  fileprivate static let appOfNamed = asked(
    "app", .text(), "Required if several apps have such a release.")
}
