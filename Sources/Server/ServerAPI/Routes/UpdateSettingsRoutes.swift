internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for the update settings of apps.
enum UpdateSettingsRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .getUpdateSettings, "The update settings of an app.", tag: "apps", access: .read,
      returns: settings
    ) { try UpdateSettingsEndpoint(context: $1).show($0) },
    APIRoute(
      .setUpdateSetting, "Change an update setting of an app.", tag: "apps", access: .triage,
      returns: settings, changes: { try UpdateSettingsEndpoint(context: $1).show($0) }
    ) { try UpdateSettingsEndpoint(context: $1).set($0) },
  ]

  private static let settings = APIRoute.Answer.json(
    .ok, "The settings.", .named("UpdateSettings"))
}
