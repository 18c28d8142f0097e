internal import APIDocuments
internal import CrashService
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore
internal import Updates

/// `/api/v1/update-settings/:app`: update settings, like `mayday apps updates`.
package struct UpdateSettingsEndpoint {
  package let context: ServerContext

  package init(context: ServerContext) {
    self.context = context
  }

  package func show(_ request: Request) throws -> Response {
    try .refusing {
      let settings = try context.service(for: request.head).updateSettings(of: app(request))
      return .document { $0.write(settings) }
    }
  }

  package func set(_ request: Request) throws -> Response {
    let input = try UpdateSettingChange(request)
    let caller = try context.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let settings = try context.service(for: request.head)
        .set(input.setting, to: input.value, of: app(request), by: caller.label)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label,
          action: "set \(input.setting.rawValue) of updates", subject: settings.app,
          peer: request.peer))
      try context.updates.refresh()
      return .document { $0.write(settings) }
    }
  }

  private func app(_ request: Request) -> String { request.parameters["app"] ?? "" }
}
