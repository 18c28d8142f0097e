package import Identifiers
package import JSON
package import ServerCore
package import Updates

/// A release as App Center's SDKs and its REST API see it.
///
/// The iOS SDK guards only five members against null, and may crash its app for any other: unknown members
/// are left out. The Android SDK reads `version` and `android_min_api_level` as integers, and accepts only
/// `apk` or `aab` as `fileExtension`.
package struct ReleaseDetails {
  package let artefact: Artefact
  /// The destination that makes it visible; `nil` for a reader of the API without one.
  package let destination: Artefact.Destination?
  package let updates: AppUpdates
  package let reader: DownloadLinks.Reader
  package var isMandatory: Bool
  package var isLatest = true

  /// The oldest system that the SDK runs on: it compares a missing value with its own system.
  private static let oldestIOS = "9.0"
  private static let oldestAndroid = 1

  package init(
    _ offer: AppUpdates.Offer, of updates: AppUpdates, for reader: DownloadLinks.Reader
  ) {
    artefact = offer.artefact
    destination = offer.destination
    isMandatory = offer.destination.isMandatory
    self.updates = updates
    self.reader = reader
  }

  package init(
    _ artefact: Artefact, destination: Artefact.Destination?, of updates: AppUpdates,
    for reader: DownloadLinks.Reader, isLatest: Bool
  ) {
    self.artefact = artefact
    self.destination = destination
    isMandatory = destination?.isMandatory ?? false
    self.isLatest = isLatest
    self.updates = updates
    self.reader = reader
  }

  /// Writes the members, without the object around them.
  package func write(
    to writer: inout JSONWriter, links: DownloadLinks, origin: String, now: Timestamp
  ) {
    let package = artefact.package
    func address(_ file: DownloadLinks.LinkedFile) -> String {
      links.address(of: file, of: artefact, for: reader, at: origin, now: now)
    }
    writer.member("id", artefact.number)
    writer.member("status", "available")
    writer.member("app_name", updates.app)
    writer.member("app_display_name", package.name ?? updates.app)
    writer.member("app_os", artefact.platform.rawValue)
    writer.member("version", artefact.release.build)
    writer.member("short_version", artefact.release.version)
    writer.member("size", artefact.size)
    switch artefact.platform {
    case .iOS: writer.member("min_os", package.minimumOS ?? Self.oldestIOS)
    case .android:
      let level = package.minimumOS.flatMap { Int32($0) }.map(Int.init) ?? Self.oldestAndroid
      writer.member("android_min_api_level", String(level))
      writer.member("fileExtension", package.kind.rawValue)
    case .macOS, .windows, .other: writer.optional("min_os", package.minimumOS)
    }
    writer.optional("bundle_identifier", package.identifier)
    if !package.deviceFamilies.isEmpty {
      writer.member("device_family", package.deviceFamilies.joined(separator: "/"))
    }
    writer.member("package_hashes", package.hashes)
    writer.member("fingerprint", artefact.md5)
    writer.member("uploaded_at", artefact.uploaded.inMilliseconds)
    writer.member("download_url", address(.file))
    writer.member("install_url", installation(links, origin, now))
    if artefact.icon != nil { writer.member("app_icon_url", address(.icon)) }
    writer.member("mandatory_update", isMandatory)
    if !artefact.notes.isEmpty {
      writer.member("release_notes", artefact.notes)
      writer.member("release_notes_url", address(.notes))
    }
    write(package.provisioning, to: &writer)
    writer.member("is_external_build", false)
    writer.member("origin", "appcenter")
    writer.member("enabled", artefact.isEnabled)
    writer.member("is_latest", isLatest)
    writeDestination(to: &writer)
    writeBuild(to: &writer)
  }

  private func write(_ provisioning: AppPackage.Provisioning?, to writer: inout JSONWriter) {
    guard let provisioning else { return }
    writer.member("provisioning_profile_name", provisioning.name)
    writer.member("provisioning_profile_type", provisioning.kind.rawValue)
    writer.optional("provisioning_profile_expiry_date", provisioning.expires?.inMilliseconds)
    writer.member("is_provisioning_profile_syncing", false)
  }

  private func writeDestination(to writer: inout JSONWriter) {
    guard let destination else { return }
    writer.member("destination_type", destination.kind.rawValue)
    writer.member("distribution_group_id", destination.id)
    guard let group = updates.groups[destination.id] else { return }
    writer.key("distribution_groups")
    writer.beginArray()
    writer.beginObject()
    writer.member("id", group.id)
    writer.member("name", group.name)
    writer.member("origin", "appcenter")
    writer.member("display_name", group.name)
    writer.member("is_public", group.isPublic)
    writer.endObject()
    writer.endArray()
  }

  private func writeBuild(to writer: inout JSONWriter) {
    let source = artefact.source
    guard source.branch != nil || source.commit != nil || source.message != nil else { return }
    writer.key("build")
    writer.beginObject()
    writer.optional("branch_name", source.branch)
    writer.optional("commit_hash", source.commit)
    writer.optional("commit_message", source.message)
    writer.endObject()
  }

  /// Returns the address that installs it: for iOS one of the manifest, which names the file.
  package func installation(
    _ links: DownloadLinks, _ origin: String, _ now: Timestamp
  ) -> String {
    guard artefact.platform == .iOS else {
      return links.address(of: .file, of: artefact, for: reader, at: origin, now: now)
    }
    var manifest =
      origin + "/v0.1/public/apps/\(updates.app.inAddress)/releases/\(artefact.number)/ios_manifest"
    if let token = links.token(of: artefact, for: reader, now: now) {
      manifest += "?token=" + token
    }
    return "itms-services://?action=download-manifest&url=" + manifest.inAddress
  }
}

extension JSONWriter {
  /// Writes a member, or nothing if it is unknown: null crashes apps.
  fileprivate mutating func optional(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }
}

extension Timestamp {
  /// `2024-03-01T10:00:00.000Z`, always with three digits of a second.
  package var inMilliseconds: String {
    let digits = String(Int(nanoseconds) / 1_000_000)
    return Timestamp(seconds: seconds).description.dropLast()
      + "." + String(repeating: "0", count: 3 - digits.utf8.count) + digits + "Z"
  }
}
