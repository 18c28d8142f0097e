package import CrashStore
package import Updates

/// Questions and decisions about the remote configurations of apps.
package protocol RemoteConfigurationService {
  /// Returns all published configurations, newest first.
  func remoteConfigurations(of app: String) throws -> [PublishedConfiguration]
  /// - Parameter number: `nil` for the current one.
  func remoteConfiguration(_ number: Int?, of app: String) throws -> PublishedConfiguration
  func publish(
    _ document: RemoteConfiguration, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration
  func edit(
    _ edit: RemoteConfigurationEdit, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration
  /// - Parameter number: `nil` for the one before the current one.
  func rollBack(
    to number: Int?, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration
}

/// The facts recorded with a change of a remote configuration.
package struct ConfigurationChange: Sendable {
  package var app: String
  /// The author in the history; a server always uses the token.
  package var author: String
  package var note: String?
  /// Whether the newest public release is offered; `nil` keeps the current setting.
  package var followsReleases: Bool?

  package init(
    app: String, author: String, note: String? = nil, followsReleases: Bool? = nil
  ) {
    self.app = app
    self.author = author
    self.note = note
    self.followsReleases = followsReleases
  }
}

extension LocalService: RemoteConfigurationService {
  package func remoteConfigurations(of app: String) throws -> [PublishedConfiguration] {
    try store.remoteConfigurations.history(of: app)
  }

  package func remoteConfiguration(
    _ number: Int?, of app: String
  ) throws -> PublishedConfiguration {
    try store.remoteConfigurations.get(number, of: app)
  }

  package func publish(
    _ document: RemoteConfiguration, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try store.remoteConfigurations.publish(
      document, of: change.app, followsReleases: change.followsReleases, note: change.note,
      by: change.author)
  }

  package func edit(
    _ edit: RemoteConfigurationEdit, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try store.remoteConfigurations.edit(
      edit, of: change.app, followsReleases: change.followsReleases, note: change.note,
      by: change.author)
  }

  package func rollBack(
    to number: Int?, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try store.remoteConfigurations.rollBack(
      of: change.app, to: number, note: change.note, by: change.author)
  }
}

extension ScopedService: RemoteConfigurationService {
  package func remoteConfigurations(of app: String) throws -> [PublishedConfiguration] {
    try whole.remoteConfigurations(of: checked(app: app))
  }

  package func remoteConfiguration(
    _ number: Int?, of app: String
  ) throws -> PublishedConfiguration {
    try whole.remoteConfiguration(number, of: checked(app: app))
  }

  package func publish(
    _ document: RemoteConfiguration, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try whole.publish(document, checked(change))
  }

  package func edit(
    _ edit: RemoteConfigurationEdit, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try whole.edit(edit, checked(change))
  }

  package func rollBack(
    to number: Int?, _ change: ConfigurationChange
  ) throws -> PublishedConfiguration {
    try whole.rollBack(to: number, checked(change))
  }

  private func checked(_ change: ConfigurationChange) throws -> ConfigurationChange {
    var change = change
    change.app = try checked(app: change.app)
    return change
  }
}
