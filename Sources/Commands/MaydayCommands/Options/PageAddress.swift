import CommandSupport
import CrashClient
import Glibc
import ServerStore

extension ServiceOptions {
  /// The address of the server's pages: of the server that is asked, or of the one that last served the home;
  /// `nil` for a home that no server has served, or whose server this user may not look into.
  ///
  /// - Throws: `DatabaseError`; ``CommandFailure`` for a server's address that is not one.
  func pageAddress() throws -> String? {
    if let server { return try ServerAddress(server, option: "--server").text }
    let folder = try home.folder()
    guard access(folder + "/server.db", R_OK | W_OK) == 0 else { return nil }
    return try AlertsTable(in: ServerStore(opening: folder)).serverURL()
  }
}
