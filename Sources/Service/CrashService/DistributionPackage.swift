/// The packages of Linux distributions with the debug information of libraries.
///
/// Source: `apt-cache search dbg` and `dpkg -S` of Debian 12, `dnf provides` of Fedora 39.
package enum DistributionPackage {
  /// The prefix of the file name, the Debian and Ubuntu package, the Fedora source package.
  private static let table: [(name: String, debian: String, fedora: String)] = [
    ("libc.so", "libc6-dbg", "glibc"), ("libc-2", "libc6-dbg", "glibc"),
    ("libm.so", "libc6-dbg", "glibc"), ("libm-2", "libc6-dbg", "glibc"),
    ("libpthread", "libc6-dbg", "glibc"), ("libdl.so", "libc6-dbg", "glibc"),
    ("libdl-2", "libc6-dbg", "glibc"), ("librt.so", "libc6-dbg", "glibc"),
    ("librt-2", "libc6-dbg", "glibc"), ("libresolv", "libc6-dbg", "glibc"),
    ("libnss_", "libc6-dbg", "glibc"), ("ld-linux", "libc6-dbg", "glibc"),
    ("ld-2", "libc6-dbg", "glibc"), ("libstdc++.so", "libstdc++6-dbgsym", "gcc"),
    ("libgcc_s", "libgcc-s1-dbgsym", "gcc"), ("libgomp", "libgomp1-dbgsym", "gcc"),
    ("libasan", "libasan8-dbgsym", "gcc"), ("libtsan", "libtsan2-dbgsym", "gcc"),
    ("libubsan", "libubsan1-dbgsym", "gcc"), ("libc++.so", "libc++1-dbgsym", "libcxx"),
    ("libz.so", "zlib1g-dbgsym", "zlib"), ("libzstd", "libzstd1-dbgsym", "zstd"),
    ("liblzma", "liblzma5-dbgsym", "xz"), ("libbz2", "libbz2-1.0-dbgsym", "bzip2"),
    ("libssl.so.3", "libssl3-dbgsym", "openssl"), ("libcrypto.so.3", "libssl3-dbgsym", "openssl"),
    ("libssl.so.1.1", "libssl1.1-dbgsym", "openssl"),
    ("libcrypto.so.1.1", "libssl1.1-dbgsym", "openssl"),
    ("libcurl.so", "libcurl4-dbgsym", "curl"),
    ("libcurl-gnutls", "libcurl3-gnutls-dbgsym", "curl"),
    ("libsqlite3", "libsqlite3-0-dbgsym", "sqlite"), ("libpq.so", "libpq5-dbgsym", "postgresql"),
    ("libxml2", "libxml2-dbgsym", "libxml2"), ("libffi.so", "libffi8-dbgsym", "libffi"),
    ("libglib-2.0", "libglib2.0-0-dbgsym", "glib2"),
    ("libgobject-2.0", "libglib2.0-0-dbgsym", "glib2"),
    ("libgio-2.0", "libglib2.0-0-dbgsym", "glib2"), ("libgtk-3", "libgtk-3-0-dbgsym", "gtk3"),
    ("libgdk-3", "libgtk-3-0-dbgsym", "gtk3"), ("libgtk-4", "libgtk-4-1-dbgsym", "gtk4"),
    ("libX11.so", "libx11-6-dbgsym", "libX11"), ("libxcb.so", "libxcb1-dbgsym", "libxcb"),
    ("libwayland-client", "libwayland-client0-dbgsym", "wayland"),
    ("libdbus-1", "libdbus-1-3-dbgsym", "dbus"), ("libsystemd", "libsystemd0-dbgsym", "systemd"),
    ("libudev", "libudev1-dbgsym", "systemd"), ("libuv.so", "libuv1-dbgsym", "libuv"),
    ("libQt5Core", "libqt5core5a-dbgsym", "qt5-qtbase"),
    ("libQt5Gui", "libqt5gui5-dbgsym", "qt5-qtbase"),
    ("libQt5Widgets", "libqt5widgets5-dbgsym", "qt5-qtbase"),
    ("libQt6Core", "libqt6core6-dbgsym", "qt6-qtbase"),
    ("libicuuc", "libicu72-dbgsym", "icu"), ("libicui18n", "libicu72-dbgsym", "icu"),
    ("libpython3", "libpython3.11-dbg", "python3"),
    ("libncursesw", "libncursesw6-dbgsym", "ncurses"),
    ("libtinfo", "libtinfo6-dbgsym", "ncurses"), ("libasound", "libasound2-dbgsym", "alsa-lib"),
    ("libpulse", "libpulse0-dbgsym", "pulseaudio"), ("libdrm.so", "libdrm2-dbgsym", "libdrm"),
    ("libGLX_mesa", "libglx-mesa0-dbgsym", "mesa"), ("libEGL_mesa", "libegl-mesa0-dbgsym", "mesa"),
  ]

  package static func isKnown(_ library: String) -> Bool { entry(library) != nil }

  /// - Parameters:
  ///   - library: The file name: `libc.so.6`.
  ///   - system: The system's name in the report.
  package static func debugPackage(of library: String, system: String) -> String? {
    guard let entry = entry(library) else { return nil }
    let system = system.lowercased()
    if ["fedora", "red hat", "rhel", "centos", "rocky", "alma"].contains(where: system.contains) {
      return entry.fedora + "-debuginfo"
    }
    if ["debian", "ubuntu", "mint"].contains(where: system.contains) { return entry.debian }
    return "\(entry.debian) (Debian, Ubuntu), \(entry.fedora)-debuginfo (Fedora)"
  }

  /// Returns the Debian and Ubuntu package.
  static func debianPackage(of library: String) -> String? { entry(library)?.debian }

  private static func entry(_ library: String) -> (name: String, debian: String, fedora: String)? {
    table.first { library.hasPrefix($0.name) }
  }
}
