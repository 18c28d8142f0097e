/// A document that apps with the RemoteConfiguration library poll: whether there is an update, and any
/// other data of the app.
///
///     {
///       "urlConfig": {"baseUrl": "https://api.example.org"},
///       "appUpdate": {
///         "availableVersion": "1.4.2",
///         "url": "https://apps.apple.com/app/id123456789",
///         "type": "recommended",
///         "localizedStrings": [
///           {"title": "Update", "text": "Tern 1.4.2 is here.",
///            "options": [{"title": "Later"}, {"title": "Update", "isUpdateAction": true}]}
///         ]
///       }
///     }
///
/// A client that cannot decode a document shows an error and continues without it, so every client can
/// decode a value of this type. Its bytes stay as written.
///
/// Source: cellular/remoteconfiguration-swift, UpdateContext.swift, UpdateAlert.swift, UpdateOption.swift.
public struct RemoteConfiguration: Sendable, Hashable {
  /// Named limits of a document.
  public enum Limits {
    /// In bytes. Each app fetches the document at each start.
    public static let bytes = 256 << 10
    /// Maximum length of a version, in bytes.
    public static let version = 100
    /// Maximum length of an address, in bytes.
    public static let url = 2_000
  }

  /// The reaction of a client. The raw values are the document's.
  public enum Kind: String, CaseIterable, Sendable {
    /// Nothing.
    case ignore
    /// It shows an alert that can be closed.
    case recommended
    /// It shows an alert that only leads to the update.
    case mandatory
  }

  /// How often an alert that recommends an update is shown.
  public enum Frequency: String, CaseIterable, Sendable {
    case always
    /// Until the user closes it.
    case once
  }

  /// The alert that a client shows to users of a language.
  public struct Alert: Sendable, Hashable {
    /// `de`; `nil` where the alert has none.
    public var language: String?
    /// `DE`
    public var region: String?
    public var title: String
    public var text: String
    public var options: [Option]

    /// A button.
    public struct Option: Sendable, Hashable {
      public var title: String
      /// Whether it opens the address of the update; others close the alert.
      public var isUpdate: Bool

      public init(_ title: String, isUpdate: Bool = false) {
        self.title = title
        self.isUpdate = isUpdate
      }
    }

    public init(
      language: String?, region: String?, title: String, text: String, options: [Option]
    ) {
      self.language = language
      self.region = region
      self.title = title
      self.text = text
      self.options = options
    }

    /// Whether a client can show it for a mandatory update.
    var leadsToUpdate: Bool { options.contains(where: \.isUpdate) }
  }

  /// The document as written.
  public let bytes: [UInt8]
  /// The version that is on offer.
  public let availableVersion: String
  /// The address that the update button opens.
  public let url: String
  public let kind: Kind
  public let frequency: Frequency
  /// Prefixes of system versions for which a mandatory update is not mandatory.
  public let ignoredOSVersions: [String]
  public let alerts: [Alert]

  /// The parsed update, with positions in the document.
  let update: SourceJSON

  /// Whether clients could show its alerts if it were of another kind.
  var hasAlerts: Bool { !alerts.isEmpty && alerts.allSatisfy(\.leadsToUpdate) }

  /// - Throws: ``RemoteConfigurationError`` for a document that a client could not decode.
  public init(_ bytes: some Collection<UInt8>) throws(RemoteConfigurationError) {
    guard bytes.count <= Limits.bytes else {
      throw RemoteConfigurationError(
        "the document is larger than \(Limits.bytes >> 10) KiB")
    }
    self.bytes = Array(bytes)
    let document = RemoteConfigurationValue(try SourceJSON(reading: self.bytes))
    let update = try document.member("appUpdate")
    availableVersion = try update.member("availableVersion").version()
    url = try update.member("url").url()
    kind = try update.optional("type")?.word(Kind.self) ?? .ignore
    frequency = try update.optional("frequency")?.word(Frequency.self) ?? .always
    ignoredOSVersions = try update.optional("ignoredOSVersions")?.systemVersions() ?? []
    alerts = try update.optional("localizedStrings")?.alerts(for: kind) ?? []
    if kind != .ignore, alerts.isEmpty {
      throw update.error(
        "a \(kind.rawValue) update needs at least one alert", at: "localizedStrings")
    }
    self.update = update.value
  }

  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
