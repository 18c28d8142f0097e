internal import CrashService
internal import HTTP
internal import ServerStore

extension APIOperation {
  package static let appChanges: [APIOperation] = [
    change(
      "POST", "", "addApp", "Make an app, or give an app a secret.",
      [name, .maybe("secret", .text(atLeast: 1), "An App-Secret of App Center's SDKs.")]),
    change(
      "POST", "/adopt", "adoptApp", "Name the app of a secret that came unannounced.",
      [.always("secret", .text(atLeast: 1), "It, or its start."), name]),
    change(
      "POST", "/rename", "renameApp", "Give an app another name.",
      [name, .always("to", .text(atLeast: 1), "The name that it gets.")]),
    change(
      "PUT", "/prefix", "setPrefix", "Set the prefix of an app's group ids.",
      [
        name,
        .always(
          "prefix", .text(atLeast: 1), "Letters and digits; ids with the former one stay valid."),
      ]),
    change(
      "PUT", "/keep", "keepReports", "Say how long an app's reports are kept.",
      [
        name, .maybe("days", .count, "Days; without, age does not matter."),
        .maybe("bytes", .count, "Disk space its reports may use."),
        .maybe("per_group", .count, "Reports to keep per group."),
      ]),
  ]

  private static let name = APIMember.always("name", .text(atLeast: 1), "The name of the app.")

  private static func change(
    _ method: String, _ path: String, _ name: String, _ summary: String, _ members: [APIMember]
  ) -> APIOperation {
    APIOperation(
      method: method, pattern: "/api/v1/apps" + path, name: name, summary: summary, tag: "apps",
      scope: .admin, input: .json(members),
      responses: [.json(.ok, "The app as it is now.", .named("App"))],
      refusals: [.notFound, .conflict])
  }
}
