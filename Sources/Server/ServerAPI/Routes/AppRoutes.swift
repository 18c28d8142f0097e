internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for apps, their releases, and query fields.
enum AppRoutes {
  static let all: [APIRoute] =
    [
      APIRoute(
        .listApps, "Apps.", tag: "apps", access: .read, returns: .page("App")
      ) { try ListsEndpoint(context: $1).apps($0) },
      APIRoute(
        .getApp, "An app.", tag: "apps", access: .read,
        returns: .json(.ok, "The app.", .named("App"))
      ) { try AppsEndpoint(context: $1).show($0) },
      APIRoute(
        .getRegressions, "Groups that became more frequent, with the first bad build of each.",
        tag: "apps", access: .read,
        returns: .json(.ok, "Output of `mayday regressions --json`.", .named("Regressions"))
      ) { try FrequencyEndpoint(context: $1).regressions($0) },
      APIRoute(
        .listFields, "The fields that queries can use.", tag: "apps",
        access: .read, returns: .list("Field")
      ) { ListsEndpoint(context: $1).fields() },
    ] + releases + changes

  // MARK: Releases

  private static let releases: [APIRoute] = [
    APIRoute(
      .listReleases, "Releases in order.", tag: "apps",
      access: .read, returns: .page("Release"), refusals: [.notFound]
    ) { try ReleasesEndpoint(context: $1).list($0) },
    APIRoute(
      .getReleaseFigures, "The figures of a release: stability, adoption, new and fixed groups.",
      tag: "apps", access: .read,
      returns: .json(.ok, "Output of `mayday releases show --json`.", .named("ReleaseFigures")),
      refusals: [.notFound]
    ) { try ReleasesEndpoint(context: $1).figures($0) },
    APIRoute(
      .getRollout, "The share of installations that each build of a release is offered to.",
      tag: "apps", access: .read, returns: .list("Rollout"), refusals: [.notFound]
    ) { try RolloutEndpoint(context: $1).show($0) },
    APIRoute(
      .rollOut,
      "Roll out the builds of a release to a share of installations; pause, resume or check it.",
      tag: "apps", access: .triage, returns: .list("Rollout"), refusals: [.notFound]
    ) { try RolloutEndpoint(context: $1).change($0) },
    changeReleases(.addReleases, "Add releases before a report names them.") {
      try ReleasesEndpoint(context: $1).add($0)
    },
    changeReleases(.removeReleases, "Remove releases without reports.") {
      try ReleasesEndpoint(context: $1).remove($0)
    },
    changeReleases(
      .orderReleases,
      "Set the order, oldest first; without one, releases are ordered by number."
    ) { try ReleasesEndpoint(context: $1).order($0) },
  ]

  private static func changeReleases(
    _ call: APICall, _ summary: String, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      call, summary, tag: "apps", access: .triage, returns: .list("Release"),
      refusals: [.notFound, .conflict],
      changes: { try ReleasesEndpoint(context: $1).list(ofAppIn: $0) }, handler: handler)
  }

  // MARK: Changes of apps

  private static let changes: [APIRoute] = [
    change(.addApp, "Create an app, or give an app a secret.") {
      try AppsEndpoint(context: $1).add($0)
    },
    change(.adoptApp, "Name the app of a previously unknown secret.") {
      try AppsEndpoint(context: $1).adopt($0)
    },
    change(.renameApp, "Rename an app.") { try AppsEndpoint(context: $1).rename($0) },
    change(.setPrefix, "Set the prefix of an app's group ids.") {
      try AppsEndpoint(context: $1).setPrefix($0)
    },
    change(.setLinking, "Set which keys of an app are linked by likeness.") {
      try AppsEndpoint(context: $1).setLinking($0)
    },
    change(.setKnownFixPolicy, "Set how clients learn of releases that fix their crashes.") {
      try AppsEndpoint(context: $1).knownFix($0)
    },
    change(.setTracker, "Set where issues about an app's groups are written.") {
      try AppsEndpoint(context: $1).setTracker($0)
    },
    change(.setProtection, "Set which roles see parts of an app's reports.") {
      try AppsEndpoint(context: $1).protect($0)
    },
    change(.keepReports, "Set how long an app's reports are retained.") {
      try AppsEndpoint(context: $1).keep($0)
    },
  ]

  private static func change(
    _ call: APICall, _ summary: String, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    let app: APIRoute.Handler = { try AppsEndpoint(context: $1).show(appIn: $0) }
    return APIRoute(
      call, summary, tag: "apps", access: .admin,
      returns: .json(.ok, "The app as it is now.", .named("App")),
      refusals: [.notFound, .conflict],
      // Adopting an app names a secret, not the app.
      changes: call.name == "adoptApp" ? nil : app,
      handler: handler)
  }
}
