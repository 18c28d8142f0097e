public import Identifiers
public import Updates

/// A remote configuration that was published, with its line of the history.
public struct PublishedConfiguration: Hashable, Sendable {
  /// The origin of a configuration. The raw values are used in the database and in documents.
  public enum Event: String, CaseIterable, Sendable {
    /// Published as a whole document.
    case published
    case edited
    case rolledBack = "rolled back"
  }

  public var app: String
  /// Rises from 1 within the app.
  public var number: Int
  public var time: Timestamp
  public var author: String
  public var event: Event
  /// The number of the configuration that was published again.
  public var source: Int?
  /// The author's note about it.
  public var note: String?
  /// Whether the newest public release is on offer, whatever version the document names.
  public var followsReleases: Bool
  /// The client action that the document asks for.
  public var kind: RemoteConfiguration.Kind
  /// The version that the document offers.
  public var availableVersion: String
  /// The document, as it was written.
  public var text: String
  /// The version that clients are offered where this configuration is served and follows releases; `nil`
  /// otherwise, and where no release is on offer.
  public var servedVersion: String?

  public init(
    app: String, number: Int, time: Timestamp, author: String, event: Event, source: Int? = nil,
    note: String? = nil, followsReleases: Bool, kind: RemoteConfiguration.Kind,
    availableVersion: String, text: String
  ) {
    self.app = app
    self.number = number
    self.time = time
    self.author = author
    self.event = event
    self.source = source
    self.note = note
    self.followsReleases = followsReleases
    self.kind = kind
    self.availableVersion = availableVersion
    self.text = text
  }

  init(
    app: String, number: Int, time: Timestamp, author: String, event: Event, source: Int?,
    note: String?, followsReleases: Bool, document: RemoteConfiguration
  ) {
    self.init(
      app: app, number: number, time: time, author: author, event: event, source: source,
      note: note, followsReleases: followsReleases, kind: document.kind,
      availableVersion: document.availableVersion,
      text: String(decoding: document.bytes, as: UTF8.self))
  }
}
