import AppCenterProtocol
import BreakpadProtocol
import UpdateProtocols
import WebServer

/// The protocols that a server speaks besides its own API, a line each.
enum ServedProtocols {
  static let all: [ServerRoutes.ProtocolRoutes] = [
    { AppCenterRoutes.add(to: &$0, $1) },
    { BreakpadRoutes.add(to: &$0, $1) },
    { UpdateRoutes.add(to: &$0, $1) },
  ]
}
