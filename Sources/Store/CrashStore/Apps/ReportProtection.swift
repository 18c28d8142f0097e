internal import Database

/// The parts of an app's reports that only some roles see.
public struct ReportProtection: Hashable, Sendable {
  /// A part of a report that may identify a person.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// Ids of the user, the installation and the session, and the user's comment.
    case user
    /// Properties that the app added under names of its choice.
    case properties
    /// Events before the crash, and what the process printed to standard error.
    case log
    /// The bytes as they arrived, attachments with their names, and the archive of both.
    case submission

    /// The part in a sentence: `ids of the user, the installation and the session, and the comment`.
    public var meaning: String {
      switch self {
      case .user: "ids of the user, the installation and the session, and the comment"
      case .properties: "properties that the app set"
      case .log: "events before the crash, and standard error"
      case .submission: "the original submission, and attachments"
      }
    }
  }

  /// The least role that sees a part; each includes the previous one. The words are those of accounts' roles.
  public enum Reader: String, Hashable, Sendable, CaseIterable, Comparable {
    case viewer, triage, admin

    public static func < (left: Reader, right: Reader) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// The parts that not every role sees.
  private var readers: [Part: Reader] = [:]

  public init() {}

  /// The least role that was chosen for a part.
  public subscript(part: Part) -> Reader {
    get { readers[part] ?? .viewer }
    set { readers[part] = newValue == .viewer ? nil : newValue }
  }

  /// Whether every role sees everything.
  public var isEmpty: Bool { readers.isEmpty }

  /// The least role that sees a part. The submission contains the other parts, so that it needs the highest
  /// role of all.
  public func leastReader(of part: Part) -> Reader {
    part == .submission ? readers.values.max() ?? .viewer : self[part]
  }

  /// The parts that a role does not see.
  public func parts(hiddenFrom reader: Reader) -> Set<Part> {
    Set(Part.allCases.filter { leastReader(of: $0) > reader })
  }
}

extension CrashStore.Apps {
  /// Sets the roles that see parts of an app's reports.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func setProtection(_ protection: ReportProtection, of app: String) throws {
    try store.write(.apps([app])) { database in
      let row = try AppsTable.known(app, in: database).row
      try database.run("DELETE FROM protections WHERE app = ?1", row)
      for part in ReportProtection.Part.allCases where protection[part] != .viewer {
        try database.insert(
          into: "protections",
          ["app": row, "part": part.rawValue, "role": protection[part].rawValue])
      }
    }
  }

  /// Returns the protections of the apps that have any, by the apps' names.
  ///
  /// - Throws: ``StoreError/damaged(_:)``; `DatabaseError`.
  public func protections() throws -> [String: ReportProtection] {
    try store.read { try Self.protections(in: $0) }
  }

  static func protections(
    in database: borrowing Connection
  ) throws -> [String: ReportProtection] {
    var protections: [String: ReportProtection] = [:]
    let rows = try database.prepare(
      "SELECT name, part, role FROM protections JOIN apps ON apps.id = protections.app", [])
    while try rows.step() {
      let (part, role) = try (rows.text("part"), rows.text("role"))
      // A part that is not understood must not become visible.
      guard let part = ReportProtection.Part(rawValue: part),
        let reader = ReportProtection.Reader(rawValue: role)
      else { throw StoreError.damaged("'\(part): \(role)' is not a protection of reports") }
      try protections[rows.text("name"), default: ReportProtection()][part] = reader
    }
    return protections
  }

  /// Returns the names of the apps that a submission has reports of.
  ///
  /// - Parameter digest: The SHA-256 of the submission in hexadecimal.
  /// - Throws: `DatabaseError`.
  public func names(ofSubmission digest: String) throws -> [String] {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { return [] }
    return try store.read { database in
      var names: [String] = []
      let rows = try database.prepare(
        "SELECT apps.name FROM submissions JOIN apps ON apps.id = submissions.app WHERE digest = ?1",
        [bytes])
      while try rows.step() { try names.append(rows.text("name")) }
      return names
    }
  }
}
