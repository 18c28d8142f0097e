// Crashes in the way that its argument names. Built and run by make-languages.sh.
package com.example.tern;

import java.util.concurrent.CountDownLatch;

public class Tern {
  static class Till implements AutoCloseable {
    int line(int n) {
      return new int[2][n].length;
    }

    @Override
    public void close() {
      throw new IllegalStateException("till is empty");
    }
  }

  static int charge(int desk) {
    try (Till till = new Till()) {
      return till.line(-desk);
    } catch (NegativeArraySizeException cause) {
      throw new RuntimeException("desk " + desk + " is closed\ntry another", cause);
    }
  }

  static void deadlock() throws InterruptedException {
    Object desk = new Object();
    Object till = new Object();
    CountDownLatch both = new CountDownLatch(2);
    new Thread(() -> take(desk, till, both), "till 3").start();
    new Thread(() -> take(till, desk, both), "till 4").start();
    Thread.sleep(500);
    System.out.flush();
  }

  static void take(Object one, Object other, CountDownLatch both) {
    synchronized (one) {
      both.countDown();
      try {
        both.await();
      } catch (InterruptedException e) {
        return;
      }
      synchronized (other) {
        System.out.println("never");
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "chain" -> new Thread(() -> charge(3), "till 3").start();
      case "deadlock" -> deadlock();
      case "crash" -> {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        ((sun.misc.Unsafe) field.get(null)).putLong(0x18, 1);
      }
    }
  }
}
