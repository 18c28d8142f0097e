internal import Bytes
internal import Identifiers
package import Updates

/// The facts of the app in an artefact, as text.
package struct PackageText {
  private let package: AppPackage

  package init(_ package: AppPackage) { self.package = package }

  package func lines(width: Int, styles: Styles) -> [String] {
    var rows: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { rows.append((name, value.printable)) }
    }
    add("Kind", package.kind.rawValue + " for " + package.kind.platform.text)
    add("App", package.identifier)
    add("Name", package.name)
    if package.version != nil { add("Release", package.release.name) }
    add("Oldest system", package.minimumOS.map { oldest($0) })
    add("Devices", package.deviceFamilies.joined(separator: ", "))
    if let profile = package.provisioning {
      let devices = profile.kind == .enterprise ? "all" : String(profile.devices)
      add(
        "Profile",
        "\(profile.name) (\(profile.kind.rawValue)), for \(devices) devices"
          + (profile.expires.map { ", expires \($0.description.prefix(10))" } ?? ""))
    }
    for (index, hash) in package.hashes.enumerated() {
      rows.append((index == 0 ? (package.hashes.count == 1 ? "Hash" : "Hashes") : "", hash))
    }
    let indent = 15
    var lines = rows.flatMap { name, value in
      value.lines(of: max(width - indent, 20), atMost: 3).enumerated().map { index, line in
        let name = index == 0 ? name : ""
        let blanks = String(repeating: " ", count: indent - name.count)
        return styles.strong(name) + blanks + line
      }
    }
    for note in package.notes {
      lines += note.printable.lines(of: max(width - 6, 20), atMost: 3).enumerated().map {
        $0 == 0 ? styles.warning("note: ") + $1 : "      " + $1
      }
    }
    return lines
  }

  private func oldest(_ version: String) -> String {
    switch package.kind.platform {
    case .android: "API level \(version)"
    default: "\(package.kind.platform.text) \(version)"
    }
  }
}

extension ArtefactPlatform {
  /// The platform as text.
  package var text: String { self == .other ? "any system" : rawValue }
}
