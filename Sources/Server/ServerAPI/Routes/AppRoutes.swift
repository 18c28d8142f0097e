internal import APIDocuments
internal import CrashStore
internal import Documents
internal import HTTP
import ServerCore
internal import Updates

/// Routes for apps, their releases, and query fields.
enum AppRoutes {
  static let all: [APIRoute] =
    [
      APIRoute(
        "GET", "/api/v1/apps", "listApps", "Apps.", tag: "apps", access: .read,
        query: .pages, returns: .page("App")
      ) { try ListsEndpoint(context: $1).apps($0) },
      APIRoute(
        "GET", "/api/v1/apps/:name", "getApp", "An app.", tag: "apps", access: .read,
        returns: .json(.ok, "The app.", .named("App"))
      ) { try AppsEndpoint(context: $1).show($0) },
      APIRoute(
        "GET", "/api/v1/apps/:name/regressions", "getRegressions",
        "Groups that became more frequent, with the first bad build of each.", tag: "apps",
        access: .read,
        query: [
          .asked("since", .day, "The first day to count."),
          .asked("release", .text(atLeast: 1), "Only releases that begin with this: 1.5.0 (600)."),
          .asked("group", .text(atLeast: 1), "Only this group, whatever its confidence."),
          .asked("confidence", .share, "Minimum confidence. Default: 0.99."),
          .asked(
            "limit", .integer(0...RegressionQuery.mostGroups),
            "Maximum number of groups. Default: \(RegressionQuery.usualLimit)."),
        ],
        returns: .json(.ok, "Output of `mayday regressions --json`.", .named("Regressions"))
      ) { try FrequencyEndpoint(context: $1).regressions($0) },
      APIRoute(
        "GET", "/api/v1/fields", "listFields", "The fields that queries can use.", tag: "apps",
        access: .read, returns: .list("Field")
      ) { ListsEndpoint(context: $1).fields() },
    ] + releases + changes

  // MARK: Releases

  private static let named = APIRoute.Parameter.asked(
    "version", .text(atLeast: 1), "1.5.0 with all of its builds, or 1.5.0 (600).",
    isRequired: true)
  private static let namedApp = "Required if several apps have such a release."

  private static let releases: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/releases", "listReleases", "Releases in order.", tag: "apps",
      access: .read, query: [.ofApp] + .pages, returns: .page("Release"), refusals: [.notFound]
    ) { try ReleasesEndpoint(context: $1).list($0) },
    APIRoute(
      "GET", "/api/v1/releases/figures", "getReleaseFigures",
      "The figures of a release: stability, adoption, new and fixed groups.",
      tag: "apps", access: .read,
      query: [
        named, .asked("app", .text(), namedApp),
        .asked(
          "days", .integer(1...CrashStore.Releases.figureDays.most),
          "Days up to today to count. Default: \(CrashStore.Releases.figureDays.usual)."),
      ],
      returns: .json(.ok, "Output of `mayday releases show --json`.", .named("ReleaseFigures")),
      refusals: [.notFound]
    ) { try ReleasesEndpoint(context: $1).figures($0) },
    APIRoute(
      "GET", "/api/v1/releases/rollout", "getRollout",
      "The share of installations that each build of a release is offered to.", tag: "apps",
      access: .read, query: [named, .asked("app", .text(), namedApp)], returns: .list("Rollout"),
      refusals: [.notFound]
    ) { try RolloutEndpoint(context: $1).show($0) },
    APIRoute(
      "POST", "/api/v1/releases/rollout", "rollOut",
      "Roll out the builds of a release to a share of installations; pause, resume or check it.",
      tag: "apps", access: .triage,
      input: .json([
        .always("version", .text(atLeast: 1), "1.5.0, or 1.5.0 (600) with the build."),
        .maybe("app", .text(atLeast: 1), namedApp),
        .maybe("percent", .integer(0...100), "Or action."),
        .maybe("action", .choice(["pause", "resume", "check"]), "Or percent."),
      ]), returns: .list("Rollout"), refusals: [.notFound]
    ) { try RolloutEndpoint(context: $1).change($0) },
    release(
      "POST", "", "addReleases", "Add releases before a report names them.", atLeast: 1
    ) { try ReleasesEndpoint(context: $1).add($0) },
    release(
      "POST", "/remove", "removeReleases", "Remove releases without reports.", atLeast: 1
    ) { try ReleasesEndpoint(context: $1).remove($0) },
    release(
      "PUT", "/order", "orderReleases",
      "Set the order, oldest first; without one, releases are ordered by number.", atLeast: 0
    ) { try ReleasesEndpoint(context: $1).order($0) },
  ]

  private static func release(
    _ method: String, _ path: String, _ name: String, _ summary: String, atLeast least: Int,
    handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      method, "/api/v1/releases" + path, name, summary, tag: "apps", access: .triage,
      input: .json([
        .always("app", .text(atLeast: 1)),
        .always(
          "releases", .list(.text(atLeast: 1), atLeast: least, atMost: APILimits.releases),
          "1.5.0, or 1.5.0 (600) with the build."),
      ]), returns: .list("Release"), refusals: [.notFound, .conflict],
      changes: { try ReleasesEndpoint(context: $1).list(ofAppIn: $0) }, handler: handler)
  }

  // MARK: Changes of apps

  private static let changes: [APIRoute] = [
    change(
      "POST", "", "addApp", "Create an app, or give an app a secret.",
      [name, .maybe("secret", .text(atLeast: 1), "An App-Secret of App Center's SDKs.")]
    ) { try AppsEndpoint(context: $1).add($0) },
    change(
      "POST", "/adopt", "adoptApp", "Name the app of a previously unknown secret.",
      [.always("secret", .text(atLeast: 1), "The secret, or its first characters."), name]
    ) { try AppsEndpoint(context: $1).adopt($0) },
    change(
      "POST", "/rename", "renameApp", "Rename an app.",
      [name, .always("to", .text(atLeast: 1), "The new name.")]
    ) { try AppsEndpoint(context: $1).rename($0) },
    change(
      "PUT", "/prefix", "setPrefix", "Set the prefix of an app's group ids.",
      [
        name,
        .always(
          "prefix", .text(atLeast: 1), "Letters and digits; ids with the old prefix stay valid."),
      ]
    ) { try AppsEndpoint(context: $1).setPrefix($0) },
    change(
      "PUT", "/link", "setLinking", "Set which keys of an app are linked by likeness.",
      [name, .always("link", .text(atLeast: 1), "on, off, or a likeness from 0.01 to 1.")]
    ) { try AppsEndpoint(context: $1).setLinking($0) },
    change(
      "PUT", "/known-fix", "setKnownFixPolicy",
      "Set how clients learn of releases that fix their crashes.",
      [name, .always("policy", .choice(KnownFixPolicy.allCases.map(\.rawValue)))]
    ) { try AppsEndpoint(context: $1).knownFix($0) },
    change(
      "PUT", "/keep", "keepReports", "Set how long an app's reports are retained.",
      [
        name, .maybe("days", .count, "Maximum age in days. Default: no limit."),
        .maybe("bytes", .count, "Maximum disk space of its reports, in bytes."),
        .maybe("per_group", .count, "Number of reports to keep per group."),
        .maybe(
          "per_day", .count,
          "Number of reports to store per group, build and day; further ones are only counted. "
            + "Default: no limit."),
      ]
    ) { try AppsEndpoint(context: $1).keep($0) },
  ]

  private static let name = APIMember.always("name", .text(atLeast: 1), "The name of the app.")

  private static func change(
    _ method: String, _ path: String, _ name: String, _ summary: String, _ members: [APIMember],
    handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    let app: APIRoute.Handler = { try AppsEndpoint(context: $1).show(appIn: $0) }
    return APIRoute(
      method, "/api/v1/apps" + path, name, summary, tag: "apps", access: .admin,
      input: .json(members), returns: .json(.ok, "The app as it is now.", .named("App")),
      refusals: [.notFound, .conflict],
      // Adopting an app names a secret, not the app.
      changes: name == "adoptApp" ? nil : app,
      handler: handler)
  }
}
