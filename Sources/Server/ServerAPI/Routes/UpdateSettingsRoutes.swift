internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore
internal import Updates

/// Routes for the update settings of apps.
enum UpdateSettingsRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/update-settings/:app", "getUpdateSettings",
      "The update settings of an app.", tag: "apps", access: .read, returns: settings
    ) { try UpdateSettingsEndpoint(context: $1).show($0) },
    APIRoute(
      "PUT", "/api/v1/update-settings/:app", "setUpdateSetting",
      "Change an update setting of an app.", tag: "apps", access: .triage,
      input: .json([
        .always("name", .choice(UpdateSetting.allCases.map(\.rawValue))),
        .maybe("value", .text(), "The value; without one, the setting is removed."),
      ]), returns: settings, changes: { try UpdateSettingsEndpoint(context: $1).show($0) }
    ) { try UpdateSettingsEndpoint(context: $1).set($0) },
  ]

  private static let settings = APIRoute.Answer.json(
    .ok, "The settings.", .named("UpdateSettings"))
}
