/// The most that is taken from one artefact, whatever it says.
public enum AppPackageLimits {
  /// Members of a zip file; large games have some ten thousand.
  public static let members = 1 << 18
  /// Bytes that all members may unpack to for each byte of the file, above ``slack``. Nothing is
  /// unpacked but what is read: this is for whoever installs it.
  public static let ratio: UInt64 = 100
  public static let slack: UInt64 = 64 << 20
  /// Bytes of a property list, manifest or profile.
  public static let manifestBytes = 8 << 20
  /// Bytes of a table of resources.
  public static let resourceBytes = 128 << 20
  /// Configurations of devices that one resource, or the resources of one type, have values for.
  public static let configurations = 2000
  /// Resources that are looked up for one icon.
  public static let lookUps = 64
  /// Characters of a text of a resource: of a name or path.
  public static let resourceText = 4 << 10
  /// Bytes of an icon.
  public static let iconBytes = 4 << 20
  /// Pixels of an icon that is written anew, on each side.
  public static let iconPixels = 2048
  /// Bytes of the load commands of an executable.
  public static let loadCommandBytes = 1 << 20
  /// Bytes of a library that is unpacked to find its id.
  public static let libraryBytes = 512 << 20
  /// Bytes of the start of a file by which its kind is known.
  public static let headBytes = 4096
  /// Members that are looked at for whether they are executables or libraries.
  public static let candidates = 20_000
  /// Executables and libraries; more are left out with a note.
  public static let binaries = 2000
  /// Values of a property list, elements of an XML or binary document.
  public static let values = 200_000
  /// Bytes of all texts of one, those that are named several times counted each time.
  public static let textBytes = 16 << 20
  /// Values within values.
  public static let depth = 64
  /// Resources that refer to others, one after the other.
  public static let references = 16
  /// Bytes of a name, identifier or version.
  public static let nameBytes = 1024
  /// Notes on what could not be read.
  public static let notes = 50
  /// Packages in a bundle of Windows.
  public static let innerPackages = 64
}
