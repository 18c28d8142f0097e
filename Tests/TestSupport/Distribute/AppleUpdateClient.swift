import Bytes
import JSON

/// The SDK of iOS, limited to updates: its requests, when it takes a response for an update, and its stored
/// state. Written from a description of its rules, not from the server.
public final class AppleUpdateClient {
  public var secret: String
  /// Version of the running app.
  public var shortVersion: String
  public var build: String
  public var hash: String
  public var system: String
  public var isPrivate = false

  /// Stored state of the SDK.
  public var updateToken: String?
  public var groupID: String?
  /// Time on the clock of the test, in seconds.
  public var postponedAt: Int?
  public var requestID: String?
  public var installID = "0f0e0d0c-0b0a-4908-8706-050403020100"
  public private(set) var isOff = false
  /// Id of the release that the SDK downloaded.
  public var downloaded: Downloaded?
  /// The details of a mandatory release, shown without network.
  public private(set) var mandatory: Release?
  public private(set) var last: Release?
  public private(set) var requests: [String] = []

  public struct Downloaded {
    public var id: Int
    public var hashes: String
    public var groupID: String?

    public init(id: Int, hashes: String, groupID: String?) {
      self.id = id
      self.hashes = hashes
      self.groupID = groupID
    }
  }

  /// The members that the SDK reads.
  public struct Release {
    public var id: Int?
    public var status: String?
    public var version: String?
    public var shortVersion: String?
    public var size: Int?
    public var minimumOS: String?
    public var isMandatory = false
    public var downloadURL: String?
    public var installURL: String?
    public var notes: String?
    public var notesURL: String?
    public var groupID: String?
    public var hashes: [String]?
  }

  public init(
    secret: String, shortVersion: String, build: String, hash: String, system: String = "17.2.1"
  ) {
    self.secret = secret
    self.shortVersion = shortVersion
    self.build = build
    self.hash = hash
    self.system = system
  }

  /// The app was started again.
  public func restart() { isOff = false }

  // MARK: The request

  private var isUpdated: Bool {
    downloaded?.hashes.split(separator: ",").contains { $0 == hash } ?? false
  }

  /// The path without `apiUrl` before it.
  public var latestPath: String {
    var path =
      isPrivate
      ? "/sdk/apps/\(secret)/releases/private/latest"
      : "/public/sdk/apps/\(secret)/releases/latest"
    path += "?release_hash=\(hash)"
    if let downloaded, isUpdated {
      path += "&downloaded_release_id=\(downloaded.id)"
      if let group = downloaded.groupID { path += "&distribution_group_id=\(group)" }
      if !isPrivate { path += "&install_id=\(installID)" }
    }
    return path
  }

  /// Checks once, as at a start of the app.
  public func check(
    at now: Int, below base: String = "/v0.1", _ send: UpdateTransport
  ) -> UpdateEvent {
    if isPrivate, updateToken == nil { return .signIn(setupPath()) }
    if isOff { return .ignored("the module is off until the app starts again") }
    // An update from another group moves the app to that one.
    if let downloaded, isUpdated, let group = downloaded.groupID { groupID = group }
    var headers = ["User-Agent: Tern/\(build) CFNetwork/1485 Darwin/23.1.0", "Accept: */*"]
    if isPrivate, let updateToken { headers.append("x-api-token: \(updateToken)") }
    requests.append(latestPath)
    guard let answer = send("GET", base + latestPath, headers) else {
      return .ignored("no connection")
    }
    return take(answer, at: now)
  }

  // MARK: The answer

  private func take(_ answer: WebClient.Answer, at now: Int) -> UpdateEvent {
    switch answer.status {
    case 408, 429, 500...599: return .retried(answer.status)
    case 200...299: break
    default: return refuse(answer)
    }
    guard let value = try? JSONDocument.parse(ByteView(answer.body)).value, value.object != nil
    else {
      forget()
      return .broken("the answer is not a JSON object")
    }
    if let mistake = Self.mistake(in: value) { return .broken(mistake) }
    if isUpdated { downloaded = nil }
    return decide(Self.release(value), at: now)
  }

  private func refuse(_ answer: WebClient.Answer) -> UpdateEvent {
    isOff = true
    let error = try? JSONDocument.parse(ByteView(answer.body)).value
    switch error?["code"]?.string {
    case "no_releases_for_user": return .noRelease
    case "not_found":
      forget()
      return .noRelease
    default:
      forget()
      return .forgotten(answer.status)
    }
  }

  private func forget() {
    updateToken = nil
    groupID = nil
    postponedAt = nil
  }

  /// Members that are checked for null before they are used.
  private static let nullable: Set = [
    "release_notes", "download_url", "app_icon_url", "install_url", "release_notes_url",
  ]
  private static let texts: Set = [
    "status", "app_name", "version", "short_version", "provisioning_profile_name", "min_os",
    "fingerprint", "uploaded_at", "distribution_group_id", "release_notes", "download_url",
    "app_icon_url", "install_url", "release_notes_url",
  ]

  /// Members of a response that can crash an app: a null or another type where the SDK expects neither.
  private static func mistake(in value: JSONValue) -> String? {
    for member in value.object ?? [] {
      if member.value.isNull {
        // Members that the SDK doesn't read do no harm.
        let isRead =
          texts.contains(member.key)
          || ["id", "size", "package_hashes", "mandatory_update"].contains(member.key)
        if isRead, !nullable.contains(member.key) { return "\(member.key) is null" }
      } else if texts.contains(member.key), member.value.string == nil {
        return "\(member.key) is not a string"
      }
    }
    for name in ["id", "size"] {
      if let member = value[name], member.integer == nil { return "\(name) is not an integer" }
    }
    if let hashes = value["package_hashes"] {
      guard let array = hashes.array, array.allSatisfy({ $0.string != nil }) else {
        return "package_hashes is not a list of strings"
      }
    }
    if let member = value["mandatory_update"], member.bool == nil {
      return "mandatory_update is not true or false"
    }
    if let time = value["uploaded_at"]?.string, !isTime(time) {
      return "uploaded_at is not yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
    }
    if value["min_os"] == nil { return "min_os is missing" }
    return nil
  }

  private static func isTime(_ text: String) -> Bool {
    let pattern = "0000-00-00T00:00:00.000Z"
    return text.utf8.count == pattern.utf8.count
      && zip(text, pattern).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
  }

  private static func release(_ value: JSONValue) -> Release {
    Release(
      id: value["id"]?.integer, status: value["status"]?.string, version: value["version"]?.string,
      shortVersion: value["short_version"]?.string, size: value["size"]?.integer,
      minimumOS: value["min_os"]?.string, isMandatory: value["mandatory_update"]?.bool ?? false,
      downloadURL: value["download_url"]?.string, installURL: value["install_url"]?.string,
      notes: value["release_notes"]?.string, notesURL: value["release_notes_url"]?.string,
      groupID: value["distribution_group_id"]?.string,
      hashes: value["package_hashes"]?.array?.compactMap(\.string))
  }

  /// The steps for a response, in their order.
  private func decide(_ release: Release, at now: Int) -> UpdateEvent {
    last = release
    if !isPrivate, let group = release.groupID, groupID == nil { groupID = group }
    guard let id = release.id, release.downloadURL != nil else {
      return .ignored("id or download_url is missing")
    }
    guard release.status == "available" else { return .ignored("status is not available") }
    if let then = postponedAt, now < then { postponedAt = nil }
    if let then = postponedAt, now - then < 86_400, !release.isMandatory {
      return .ignored("postponed")
    }
    if let minimum = release.minimumOS, NumericText.compare(system, minimum) < 0 {
      return .ignored("the system is older")
    }
    guard isNewer(release) else { return .noRelease }
    mandatory = release.isMandatory ? release : nil
    return .offered(id, isMandatory: release.isMandatory)
  }

  private func isNewer(_ release: Release) -> Bool {
    let hashes = release.hashes ?? []
    let offered = release.shortVersion.flatMap(ComparedVersion.init)
    switch (ComparedVersion(shortVersion), offered) {
    case (nil, nil): return !hashes.contains(hash)
    case (nil, _?): return true
    case (_?, nil): return false
    case (let installed?, let offered?):
      let order = ComparedVersion.compare(offered, installed)
      if order != 0 { return order > 0 }
      let builds = NumericText.compare(release.version ?? "", build)
      return builds == 0 ? !hashes.contains(hash) : builds > 0
    }
  }

  // MARK: The user

  public func postpone(at now: Int) { postponedAt = now }

  public var showsNotes: Bool { !(last?.notes ?? "").isEmpty && last?.notesURL != nil }

  /// Opens `install_url` as the system does: the manifest, then the file it names.
  ///
  /// - Returns: The file, or what is wrong.
  public func download(_ send: UpdateTransport) -> Result<[UInt8], UpdateFailure> {
    guard let release = last, let id = release.id, let address = release.installURL else {
      return .failure(UpdateFailure("there is no install_url"))
    }
    guard address.hasPrefix("itms-services://?") else {
      return .failure(UpdateFailure("\(address) does not begin an installation"))
    }
    let items = UpdateAddress.query(of: address)
    guard items["action"] == "download-manifest", let url = items["url"],
      let path = UpdateAddress.path(of: url), let manifest = send("GET", path, []),
      manifest.status == 200
    else { return .failure(UpdateFailure("no manifest for \(address)")) }
    guard
      ["text/xml", "application/xml"].contains(
        manifest.headers["content-type"]?.prefix { $0 != ";" })
    else {
      return .failure(UpdateFailure("the manifest is not XML"))
    }
    guard let software = Self.software(in: manifest.text),
      let filePath = UpdateAddress.path(of: software.url),
      let head = send("HEAD", filePath, []), head.headers["accept-ranges"] == "bytes",
      let file = send("GET", filePath, []), file.status == 200,
      file.headers["content-length"] == "\(file.body.count)",
      head.headers["content-length"] == "\(file.body.count)"
    else { return .failure(UpdateFailure("no software package in \(manifest.text)")) }
    guard software.build == release.shortVersion || software.build == release.version else {
      return .failure(UpdateFailure("the manifest has another version: \(software.build)"))
    }
    downloaded = Downloaded(
      id: id, hashes: (release.hashes ?? []).joined(separator: ","), groupID: release.groupID)
    return .success(file.body)
  }

  private static func software(in manifest: String) -> (url: String, build: String)? {
    func value(after mark: String, in text: Substring) -> Substring? {
      guard let key = text.firstRange(of: mark),
        let start = text[key.upperBound...].firstRange(of: "<string>"),
        let end = text[start.upperBound...].firstRange(of: "</string>")
      else { return nil }
      return text[start.upperBound..<end.lowerBound]
    }
    func plain(_ text: Substring) -> String {
      text.split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
    }
    guard let kind = manifest.firstRange(of: "<string>software-package</string>"),
      let url = value(after: "<key>url</key>", in: manifest[kind.upperBound...]),
      let build = value(after: "<key>bundle-version</key>", in: manifest[...]),
      value(after: "<key>bundle-identifier</key>", in: manifest[...]) != nil,
      value(after: "<key>title</key>", in: manifest[...]) != nil
    else { return nil }
    return (plain(url), plain(build))
  }

  /// The downloaded release runs now.
  public func update(toVersion version: String, build: String, hash: String) {
    (shortVersion, self.build, self.hash) = (version, build, hash)
    isOff = false
  }

  // MARK: Sign-in

  /// The path without `installUrl` before it.
  public func setupPath() -> String {
    let request = requestID ?? "6f1f7d62-7c4c-4a57-9a52-1f0f6c8e2b11"
    requestID = request
    return "/apps/\(secret)/private-update-setup?release_hash=\(hash)"
      + "&redirect_id=appcenter-\(secret)&request_id=\(request)&platform=iOS"
      + "&enable_failure_redirect=true"
  }

  /// The browser hands an address to the app.
  ///
  /// - Returns: Whether the app continues with it.
  public func open(_ address: String) -> Bool {
    guard address.lowercased().hasPrefix("appcenter-\(secret.lowercased())://") else {
      return false
    }
    let items = UpdateAddress.query(of: address)
    guard let requestID, items["request_id"] == requestID else { return false }
    if items["update_setup_failed"] != nil { return false }
    let (token, group) = (items["update_token"], items["distribution_group_id"])
    guard token != nil || group != nil else { return false }
    updateToken = token
    if let group { groupID = group }
    self.requestID = nil
    return true
  }
}

/// Why a release cannot be installed.
public struct UpdateFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
