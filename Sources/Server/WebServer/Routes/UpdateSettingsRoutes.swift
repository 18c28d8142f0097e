internal import APIDocuments
internal import Documents
internal import HTTP
internal import Updates

/// What is set of the updates of apps.
enum UpdateSettingsRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/update-settings/:app", "getUpdateSettings",
      "What is set of the updates of an app.", tag: "apps", access: .read, returns: settings
    ) { try UpdateSettingsEndpoint(context: $1).show($0) },
    APIRoute(
      "PUT", "/api/v1/update-settings/:app", "setUpdateSetting",
      "Set something of the updates of an app.", tag: "apps", access: .triage,
      input: .json([
        .always("name", .choice(UpdateSetting.allCases.map(\.rawValue))),
        .maybe("value", .text(), "Without one, it is as if it had never been set."),
      ]), returns: settings, changes: { try UpdateSettingsEndpoint(context: $1).show($0) }
    ) { try UpdateSettingsEndpoint(context: $1).set($0) },
  ]

  private static let settings = APIRoute.Answer.json(
    .ok, "The settings.", .named("UpdateSettings"))
}
