internal import APIDocuments
package import CrashService
package import CrashStore
internal import JSON
package import Updates

/// The remote configurations of apps, by a server's API.
extension RemoteService {
  package func remoteConfigurations(of app: String) throws -> [PublishedConfiguration] {
    try all("/remote-config/\(Self.name(app))/history", limit: nil) {
      try PublishedConfiguration($0)
    }.items
  }

  package func remoteConfiguration(
    _ number: Int?, of app: String
  ) throws -> PublishedConfiguration {
    let part = number.map { "/history/\($0)" } ?? ""
    return try PublishedConfiguration(ask("GET", "/remote-config/\(Self.name(app))\(part)"))
  }

  package func publish(
    _ document: RemoteConfiguration, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try send("PUT", "", change) { writer in
      writer.member("document", String(decoding: document.bytes, as: UTF8.self))
    }
  }

  package func edit(
    _ edit: RemoteConfigurationEdit, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try send("POST", "/edit", change) { edit.writeMembers(to: &$0) }
  }

  package func rollBack(
    to number: Int?, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try send("POST", "/rollback", change) { $0.member("number", number) }
  }

  private func send(
    _ method: String, _ path: String, _ change: ConfigurationChange,
    _ write: @escaping (inout JSONWriter) -> Void
  ) throws -> PublishedConfiguration {
    try PublishedConfiguration(
      ask(method, "/remote-config/\(Self.name(change.app))\(path)") { writer in
        write(&writer)
        writer.member("follow_releases", change.followsReleases)
        writer.member("note", change.note)
      })
  }
}
