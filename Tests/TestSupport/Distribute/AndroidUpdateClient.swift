import Bytes
import JSON

/// The SDK of Android, limited to updates. Written from a description of its rules, not from the server.
public final class AndroidUpdateClient {
  public var secret: String
  public var package: String
  /// Version of the running app.
  public var versionName: String
  public var versionCode: Int
  public var hash: String
  public var apiLevel: Int
  /// SDKs before 5.0.2 neither request an installable file nor read its kind.
  public var isOld = false
  /// The app of testers of private groups: signs in before its first check.
  public var isPrivate = false

  public var updateToken: String?
  public var groupID: String?
  public var postponedAt: Int?
  public var requestID: String?
  public var installID = "00010203-0405-4607-8809-0a0b0c0d0e0f"
  public var downloaded: Downloaded?
  public private(set) var last: Release?
  public private(set) var requests: [String] = []

  public struct Downloaded {
    public var id: Int
    public var hash: String
    /// The URL as the SDK writes it, `null` for none.
    public var groupID: String
  }

  public struct Release {
    public var id: Int
    public var version: Int
    public var shortVersion: String
    public var size: Int
    public var apiLevel: Int
    public var downloadURL: String
    public var isMandatory: Bool
    public var hash: String
    public var fileExtension: String
    public var notes: String?
    public var notesURL: String?
    public var groupID: String?
  }

  public init(
    secret: String, package: String, versionName: String, versionCode: Int, hash: String,
    apiLevel: Int = 33
  ) {
    self.secret = secret
    self.package = package
    self.versionName = versionName
    self.versionCode = versionCode
    self.hash = hash
    self.apiLevel = apiLevel
  }

  // MARK: The request

  private var isUpdated: Bool { downloaded?.hash == hash }

  public var latestPath: String {
    var path =
      updateToken != nil
      ? "/sdk/apps/\(secret)/releases/private/latest?"
      : "/public/sdk/apps/\(secret)/releases/latest?"
    if !isOld { path += "is_install_page=true&" }
    path += "release_hash=\(hash)"
    if let downloaded, isUpdated {
      path += "&distribution_group_id=\(downloaded.groupID)"
      if updateToken == nil { path += "&install_id=\(installID)" }
      path += "&downloaded_release_id=\(downloaded.id)"
    }
    return path
  }

  public func check(
    at now: Int, below base: String = "/v0.1", _ send: UpdateTransport
  ) -> UpdateEvent {
    if isPrivate, updateToken == nil { return .signIn(setupPath()) }
    var headers = ["User-Agent: Dalvik/2.1.0 (Linux; U; Android 13; Pixel 6 Build/TQ3A.230705.001)"]
    if let updateToken { headers.append("x-api-token: \(updateToken)") }
    requests.append(latestPath)
    guard let answer = send("GET", base + latestPath, headers) else {
      return .ignored("no connection")
    }
    switch answer.status {
    case 408, 429, 500...599: return .retried(answer.status)
    case 200...299: break
    default:
      let error = try? JSONDocument.parse(ByteView(answer.body)).value
      let code = error?["code"]?.string
      if code == "no_releases_for_user" || code == "not_found" { return .noRelease }
      updateToken = nil
      groupID = nil
      postponedAt = nil
      return .forgotten(answer.status)
    }
    guard let value = try? JSONDocument.parse(ByteView(answer.body)).value else {
      return .broken("the answer is not JSON")
    }
    do {
      return decide(try release(value), at: now)
    } catch let failure as UpdateFailure {
      return .broken(failure.description)
    } catch {
      return .broken("\(error)")
    }
  }

  // MARK: The answer

  /// Every member as the SDK reads it: a missing one or another type is an exception.
  private func release(_ value: JSONValue) throws -> Release {
    func text(_ name: String) throws -> String {
      guard let member = value[name], !member.isNull else {
        throw UpdateFailure("\(name) is missing")
      }
      if let text = member.string { return text }
      guard let number = member.integer else { throw UpdateFailure("\(name) is not a text") }
      return String(number)
    }
    func number(_ name: String) throws -> Int {
      guard let number = Int32(try text(name)) else {
        throw UpdateFailure("\(name) is not an int")
      }
      return Int(number)
    }
    func optional(_ name: String) -> String? { value[name]?.string }
    guard let size = Int(try text("size")) else { throw UpdateFailure("size is not a long") }
    let url = try text("download_url")
    guard url.hasPrefix("http") else { throw UpdateFailure("download_url is not http") }
    guard let isMandatory = value["mandatory_update"]?.bool else {
      throw UpdateFailure("mandatory_update is missing")
    }
    guard let hash = value["package_hashes"]?.array?.first?.string else {
      throw UpdateFailure("package_hashes is empty")
    }
    var kind = "apk"
    if !isOld {
      kind = try text("fileExtension")
      guard ["apk", "aab"].contains(kind) else {
        throw UpdateFailure("fileExtension \(kind) is not caught")
      }
    }
    return Release(
      id: try number("id"), version: try number("version"),
      shortVersion: try text("short_version"), size: size,
      apiLevel: try number("android_min_api_level"), downloadURL: url, isMandatory: isMandatory,
      hash: hash, fileExtension: kind, notes: optional("release_notes"),
      notesURL: optional("release_notes_url"), groupID: optional("distribution_group_id"))
  }

  private func decide(_ release: Release, at now: Int) -> UpdateEvent {
    last = release
    if let downloaded, isUpdated {
      groupID = downloaded.groupID == "null" ? nil : downloaded.groupID
      self.downloaded = nil
    } else if updateToken == nil, groupID == nil {
      groupID = release.groupID
    }
    guard apiLevel >= release.apiLevel else { return .ignored("the system is older") }
    guard
      release.version > versionCode || (release.version == versionCode && release.hash != hash)
    else { return .noRelease }
    if let then = postponedAt, now < then { postponedAt = nil }
    if let then = postponedAt, now - then < 86_400, !release.isMandatory {
      return .ignored("postponed")
    }
    return .offered(release.id, isMandatory: release.isMandatory)
  }

  // MARK: The user

  public func postpone(at now: Int) { postponedAt = now }

  public var showsNotes: Bool { !(last?.notes ?? "").isEmpty && last?.notesURL != nil }

  public func download(_ send: UpdateTransport) -> Result<[UInt8], UpdateFailure> {
    guard let release = last, let path = UpdateAddress.path(of: release.downloadURL),
      let answer = send("GET", path, []), answer.status == 200
    else { return .failure(UpdateFailure("nothing is behind download_url")) }
    if release.fileExtension == "apk", answer.body.count != release.size {
      return .failure(UpdateFailure("\(answer.body.count) bytes came of \(release.size)"))
    }
    downloaded = Downloaded(id: release.id, hash: release.hash, groupID: release.groupID ?? "null")
    return .success(answer.body)
  }

  public func update(toVersion name: String, code: Int, hash: String) {
    (versionName, versionCode, self.hash) = (name, code, hash)
  }

  // MARK: Sign-in

  public func setupPath() -> String {
    let request = requestID ?? "9b2f0c7d-11aa-4a3e-8a53-3b8e8f5f7c10"
    requestID = request
    return "/apps/\(secret)/private-update-setup/?release_hash=\(hash)&redirect_id=\(package)"
      + "&redirect_scheme=appcenter&request_id=\(request)&platform=Android"
      + "&enable_failure_redirect=true&install_id=\(installID)"
  }

  /// Target of an intent URL: its package, its data and its text extras, as Android parses it.
  public struct Intent {
    public var data: String
    public var package: String?
    public var extras: [String: String] = [:]

    public init?(_ address: String) {
      guard address.hasPrefix("intent:"), let mark = address.firstRange(of: "#Intent;"),
        address.hasSuffix(";end")
      else { return nil }
      var scheme = ""
      for part in address[mark.upperBound...].dropLast(4).split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        let value = UpdateAddress.decoded(pair[1])
        switch pair[0] {
        case "scheme": scheme = value
        case "package": package = value
        case _ where pair[0].hasPrefix("S."):
          extras[UpdateAddress.decoded(pair[0].dropFirst(2))] = value
        default: return nil
        }
      }
      data = scheme + ":" + address[..<mark.lowerBound].dropFirst("intent:".count)
    }
  }

  /// The browser starts an activity.
  ///
  /// - Returns: Whether the app continues with it.
  public func open(_ address: String) -> Bool {
    guard let intent = Intent(address), intent.data == "appcenter://updates/",
      intent.package == package, let requestID, intent.extras["request_id"] == requestID,
      let group = intent.extras["distribution_group_id"]
    else { return false }
    groupID = group
    updateToken = intent.extras["update_token"]
    self.requestID = nil
    return true
  }
}
