/// The distribution's package from which a program or library was installed, as the linker recorded it in the
/// file.
///
/// Source: "Package Metadata for Executable Files" of the UAPI group, `.note.package`.
public struct ImagePackage: Hashable, Sendable {
  /// `deb`, `rpm`.
  public var type: String?
  /// The name of the source package.
  public var name: String
  public var version: String?
  /// The distribution's name for it: `amd64`, `x86_64`.
  public var architecture: String?
  /// The distribution, and its version where it has one: `fedora 40`.
  public var os: String?
  /// The distribution by its entry in the Common Platform Enumeration: `cpe:/o:fedoraproject:fedora:40`.
  public var osCPE: String?
  /// The debuginfod server that has the debug information.
  public var debugInfoURL: String?

  public init(
    type: String? = nil, name: String, version: String? = nil, architecture: String? = nil,
    os: String? = nil, osCPE: String? = nil, debugInfoURL: String? = nil
  ) {
    self.type = type
    self.name = name
    self.version = version
    self.architecture = architecture
    self.os = os
    self.osCPE = osCPE
    self.debugInfoURL = debugInfoURL
  }
}
