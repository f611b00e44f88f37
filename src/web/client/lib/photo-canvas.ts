type Corner = [x: number, y: number];

/** Outlines of cards, in pixels of a photo of that width and height. */
export type Quads = { width: number; height: number; quads: Corner[][] };

/** Longest side that is shown, in pixels of the canvas. */
const SHOWN_PX = 900;
/** Around a card that is cut out, in widths of its box. */
const ROOM = 0.08;

/** A canvas that shows a photo, and the outlines in it with their numbers. */
export function readPhotoCanvas(canvas: HTMLCanvasElement) {
  let photo: ImageBitmap | null = null;

  function draw({ width, quads }: Pick<Quads, 'width' | 'quads'>): void {
    const ink = canvas.getContext('2d')!;
    if (photo !== null) ink.drawImage(photo, 0, 0, canvas.width, canvas.height);
    const scale = canvas.width / width;
    const style = getComputedStyle(document.documentElement);
    const color = style.getPropertyValue('--accent');
    for (const quad of quads) {
      ink.beginPath();
      for (const [x, y] of quad) ink.lineTo(x * scale, y * scale);
      ink.closePath();
      // A dark line under a bright one is seen on any photo.
      for (const [lineWidth, strokeStyle] of [
        [7, '#000a'],
        [3, quads.length === 1 ? color : '#fff'],
      ] as const) {
        ink.lineWidth = lineWidth;
        ink.strokeStyle = strokeStyle;
        ink.stroke();
      }
    }
    if (quads.length === 1) return;
    const radius = Math.max(16, canvas.width / 28);
    ink.font = `600 ${radius * 1.2}px ${style.fontFamily}`;
    ink.textAlign = 'center';
    ink.textBaseline = 'middle';
    for (const [at, quad] of quads.entries()) {
      const [x, y] = middleOf(quad).map((value) => value * scale) as Corner;
      ink.beginPath();
      ink.arc(x, y, radius, 0, 2 * Math.PI);
      ink.fillStyle = '#000c';
      ink.fill();
      ink.fillStyle = '#fff';
      ink.fillText(String(at + 1), x, y);
    }
  }

  return {
    canvas,
    draw,
    /** False for a file that the browser cannot show. */
    async show(file: File): Promise<boolean> {
      photo = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
      if (photo === null) return false;
      const scale = Math.min(1, SHOWN_PX / Math.max(photo.width, photo.height));
      canvas.width = Math.round(photo.width * scale);
      canvas.height = Math.round(photo.height * scale);
      draw({ width: photo.width, quads: [] });
      return true;
    },
    /** Where an event is, in pixels of the photo. */
    pointOf({ offsetX, offsetY }: MouseEvent, { width }: Quads): Corner {
      const scale = width / canvas.clientWidth;
      return [offsetX * scale, offsetY * scale];
    },
    /** The part of the photo around one outline, as a picture of its own. */
    async part({ width, quads }: Quads, at: number): Promise<Blob> {
      const scale = photo!.width / width;
      const [xs, ys] = [0, 1].map((axis) => quads[at]!.map((corner) => corner[axis]! * scale));
      const room = ROOM * (Math.max(...xs!) - Math.min(...xs!));
      const left = Math.max(0, Math.min(...xs!) - room);
      const top = Math.max(0, Math.min(...ys!) - room);
      const right = Math.min(photo!.width, Math.max(...xs!) + room);
      const bottom = Math.min(photo!.height, Math.max(...ys!) + room);
      const cut = new OffscreenCanvas(right - left, bottom - top);
      cut.getContext('2d')!.drawImage(photo!, -left, -top);
      return cut.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
    },
  };
}

/** Whether a point is within a convex outline that runs clockwise. */
export function isInside([x, y]: Corner, quad: Corner[]): boolean {
  return quad.every(([x1, y1], at) => {
    const [x2, y2] = quad[(at + 1) % quad.length]!;
    return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0;
  });
}

function middleOf(quad: Corner[]): Corner {
  return [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis]!, 0) / quad.length) as Corner;
}
