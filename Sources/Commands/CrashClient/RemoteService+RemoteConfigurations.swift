internal import APIDocuments
package import CrashService
package import CrashStore
package import Updates

/// The remote configurations of apps, by a server's API.
extension RemoteService {
  package func remoteConfigurations(of app: String) throws -> [PublishedConfiguration] {
    try all(.listRemoteConfigurations, [app]) { try PublishedConfiguration($0) }.items
  }

  package func remoteConfiguration(
    _ number: Int?, of app: String
  ) throws -> PublishedConfiguration {
    guard let number else { return try PublishedConfiguration(ask(.getRemoteConfiguration, app)) }
    return try PublishedConfiguration(ask(.getFormerRemoteConfiguration, app, "\(number)"))
  }

  package func publish(
    _ document: RemoteConfiguration, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    let body = ConfigurationPublication(
      text: String(decoding: document.bytes, as: UTF8.self),
      followsReleases: change.followsReleases, note: change.note)
    return try PublishedConfiguration(
      ask(.publishRemoteConfiguration, change.app, sending: body))
  }

  package func edit(
    _ edit: RemoteConfigurationEdit, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    let body = ConfigurationEdit(
      edit: edit, followsReleases: change.followsReleases, note: change.note)
    return try PublishedConfiguration(ask(.editRemoteConfiguration, change.app, sending: body))
  }

  package func rollBack(
    to number: Int?, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try PublishedConfiguration(
      ask(
        .rollBackRemoteConfiguration, change.app,
        sending: ConfigurationRollback(number: number, note: change.note)))
  }
}
