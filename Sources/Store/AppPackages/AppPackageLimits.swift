internal import XML

/// Limits on what is read from one artefact.
public enum AppPackageLimits {
  /// Members of a zip file; large games have some ten thousand.
  public static let members = 1 << 18
  /// Bytes that all members may unpack to for each byte of the file, above ``slack``. Only what is
  /// read is unpacked: the limit protects those who install the artefact.
  public static let ratio: UInt64 = 100
  public static let slack: UInt64 = 64 << 20
  /// Bytes of a property list, manifest or profile.
  public static let manifestBytes = 8 << 20
  /// Bytes of a table of resources.
  public static let resourceBytes = 128 << 20
  /// Configurations for which one resource, or the resources of one type, may have values.
  public static let configurations = 2000
  /// Resources that are looked up for one icon.
  public static let lookUps = 64
  /// Characters of a string resource: a name or path.
  public static let resourceText = 4 << 10
  /// Bytes of an icon.
  public static let iconBytes = 4 << 20
  /// Pixels of an icon that is re-encoded, on each side.
  public static let iconPixels = 2048
  /// Bytes of the load commands of an executable.
  public static let loadCommandBytes = 1 << 20
  /// Bytes of a library that is unpacked to find its id.
  public static let libraryBytes = 512 << 20
  /// Bytes at the start of a file that identify its kind.
  public static let headBytes = 4096
  /// Members that are checked for being executables or libraries.
  public static let candidates = 20_000
  /// Executables and libraries; more are left out with a note.
  public static let binaries = 2000
  /// Values of a property list, elements of an XML or binary document.
  public static let values = 200_000
  /// Bytes of all texts of one; a text that is referenced several times counts each time.
  public static let textBytes = 16 << 20
  /// Values within values.
  public static let depth = 64
  /// References in a chain of resources.
  public static let references = 16
  /// Bytes of a name, identifier or version.
  public static let nameBytes = 1024
  /// Notes on what could not be read.
  public static let notes = 50
  /// Packages in a Windows bundle.
  public static let innerPackages = 64

  /// The limits of manifests and property lists in XML.
  static let xml = XMLLimits(
    bytes: manifestBytes, depth: depth, elements: values, textBytes: textBytes)
}
