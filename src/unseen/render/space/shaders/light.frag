// The light that leaves what is seen toward the eye. The program that loads this gives SAMPLES a pixel, how many LAMPS and
// BODIES there are, which of the lamps is the SUN or -1, and whether there are PATTERNS.
//
// Software rasterisers run both sides of every branch, and unroll loops whose end they can guess, but do leave a loop that
// no pixel needs any more. So what is costly and rarely needed stands in loops that index no array by their counter.

const int MOST = 16;            // bodies
const int THINGS = MOST + 5;    // bodies, then the parts of a stage
const int LOOKS = 6;            // into a shadow map, to find out whether there is a shadow
const int TAPS = 24;            // to find out how much of it
const int GLINTS = 6;           // into the surroundings
const float PI = 3.14159265;
const mat2 GOLDEN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);  // a turn by the golden angle

uniform vec3 eye;
uniform float pixel_width;      // at distance 1
uniform ivec2 origin;           // of the image within the target
uniform int view_transform;     // 0 none, 1 standard, 2 filmic
uniform vec3 sky;
#if SAMPLES > 1
uniform sampler2DMS seen_place;
uniform sampler2DMS seen_normal;
#else
uniform sampler2D seen_place;
uniform sampler2D seen_normal;
#endif

// things: where they are, and what they are made of (textures.py, Finish)
uniform vec4 pose[THINGS];
uniform vec2 turn[THINGS];
uniform vec4 color[THINGS];         // and metalness
uniform vec4 gloss[THINGS];         // and index of refraction
uniform vec4 lobes[THINGS];         // two roughnesses, share of the second; velvet's index
uniform vec4 pattern[THINGS];       // layer of the maps or -1, size of a tile; velvet's width; whether it is probed
uniform sampler2DArray color_maps;  // square root of the color; roughness
uniform sampler2DArray relief_maps; // slope along u and v; metalness

// lamps; a sun is everywhere in the same direction
uniform vec3 lamp_place[LAMPS];
uniform vec3 lamp_way[LAMPS];       // along which it shines
uniform vec3 lamp_power[LAMPS];     // irradiance at distance 1, or of a sun
uniform float lamp_edge[LAMPS];     // of a sun: at distance 1
uniform mat4 lamp_view[LAMPS];
uniform vec2 lamp_scale[LAMPS];     // width of its view at distance 1 (of a sun: at any), and its nearest depth
uniform sampler2D shadow_map;       // 2 x 2 lamps

// light from elsewhere
uniform vec3 bounced[6];            // irradiance of what looks along +x, -x, +y, -y, +z, -z
uniform vec4 ball[BODIES];          // bodies as balls: center and radius
uniform float bound[BODIES];        // radius that holds all of a body
uniform vec3 ball_light[BODIES];    // their mean radiance
uniform sampler2D surroundings;     // what bodies see: 3 x 2 faces of a cube, one body above the other

out vec4 pixel;

int own;                            // the thing that is lit
vec3 place;
vec3 facing;
vec2 first_way;                     // of points spread over a disk, in each pixel another

struct Look { vec3 color; float metalness; vec2 roughness; vec3 normal; };

// ------------------------------------------------------------------------------------------------------ patterns

// Three flat projections, mixed where two of them meet: as Blender's box projection with a blend of 0.3.
vec3 box_weights(vec3 n) {
    n = abs(n) / (abs(n.x) + abs(n.y) + abs(n.z));
    vec3 w = max(n - 0.25, 0.0);
    w *= w;
    return w / (w.x + w.y + w.z);
}

void add_map(inout vec4 seen, inout vec4 relief, float weight, vec2 uv, vec3 u_axis, vec3 v_axis, float level) {
    if (weight > 0.01) {
        vec3 at = vec3(uv, pattern[own].x);
        vec4 found = textureLod(relief_maps, at, level);
        seen += weight * textureLod(color_maps, at, level);
        relief += weight * vec4((found.x * 4.0 - 2.0) * u_axis + (found.y * 4.0 - 2.0) * v_axis, found.z);
    }
}

Look look_of(float distance, float cosine) {
    Look look = Look(color[own].rgb, color[own].a, lobes[own].xy, facing);
#if PATTERNS
    if (pattern[own].x >= 0.0) {
        mat3 spin = mat3(turn[own].x, turn[own].y, 0, -turn[own].y, turn[own].x, 0, 0, 0, 1);
        vec3 p = (place - pose[own].xyz) * spin / (pose[own].w * pattern[own].y), n = facing * spin;
        vec3 flip = vec3(n.x < 0.0 ? -1 : 1, n.y > 0.0 ? -1 : 1, n.z > 0.0 ? -1 : 1), w = box_weights(n);
        float covers = pixel_width * distance / (pose[own].w * pattern[own].y * sqrt(max(cosine, 0.1)));
        float level = max(log2(1.5 * covers * float(textureSize(color_maps, 0).x)), 0.0);  // 1.5: Cycles' filter
        vec4 seen = vec4(0), relief = vec4(0);
        add_map(seen, relief, w.x, vec2(flip.x * p.y, p.z), vec3(0, flip.x, 0), vec3(0, 0, 1), level);
        add_map(seen, relief, w.y, vec2(flip.y * p.x, p.z), vec3(flip.y, 0, 0), vec3(0, 0, 1), level);
        add_map(seen, relief, w.z, vec2(flip.z * p.y, p.x), vec3(0, flip.z, 0), vec3(1, 0, 0), level);
        vec3 bent = normalize(n - (relief.xyz - n * dot(n, relief.xyz)));
        look = Look(seen.rgb * seen.rgb, relief.w, vec2(max(seen.a, 0.1)), spin * bent);
    }
#endif
    return look;
}

// ------------------------------------------------------------------------------------------------------- shadows

// How far the nearest body is; nothing casts a shadow from outside the map.
float stored(int lamp, vec2 uv) {
    int side = textureSize(shadow_map, 0).x / 2;
    ivec2 at = ivec2(clamp(uv, 0.0, 0.999) * side) + ivec2(lamp % 2, lamp / 2) * side;
    return uv == clamp(uv, 0.0, 1.0) ? texelFetch(shadow_map, at, 0).r : 1e9;
}

// Whether a body might stand between here and a lamp.
bool may_be_hidden(int lamp, vec3 to, float reach) {
    bool may = false;
    for (int k = 0; k < BODIES; k++) {
        vec3 there = ball[k].xyz - place;
        float along = clamp(dot(there, to), 0.0, reach);
        float wide = bound[k] + 0.5 * lamp_edge[lamp] * (lamp == SUN ? along : 1.0);
        vec3 miss = there - along * to;
        may = may || dot(miss, miss) < wide * wide;
    }
    return may;
}

// The share of a lamp that is seen: as soft an edge as the lamp, its occluder and the place ask for.
float lit_share(int lamp, vec3 to, float reach) {
    bool sun = lamp == SUN;
    float edge = 0.55 * lamp_edge[lamp], wide = lamp_scale[lamp].x, near = lamp_scale[lamp].y;
    float grain = wide * (sun ? 1.0 : reach) / float(textureSize(shadow_map, 0).x / 2);
    vec4 clip = lamp_view[lamp] * vec4(place + facing * (0.01 + grain * (1.5 - dot(facing, to))), 1);
    vec2 uv = clip.xy / clip.w * 0.5 + 0.5, way = first_way;
    float depth = sun ? clip.z : clip.w;
    float search = max(sun ? 2.0 * edge * (depth - near) : edge * (depth - near) / (depth * near * wide), 0.006);
    float sum = 0.0, count = 0.0, lit = 0.0, k = 0.5;
    int looks = may_be_hidden(lamp, to, reach) ? LOOKS : 0;
    for (int left = looks; left > 0; left--) {
        float found = stored(lamp, uv + search * sqrt(k / float(LOOKS)) * way);
        float hides = step(found, depth);
        sum += hides * found;
        count += hides;
        way = GOLDEN * way;
        k += 1.0;
    }
    int taps = count > 0.0 ? TAPS : 0;
    float occluder = sum / max(count, 1.0);
    float blur = max(sun ? 2.0 * edge * (depth - occluder) : edge * (depth - occluder) / (occluder * depth * wide), 0.006);
    k = 0.5;
    for (int left = taps; left > 0; left--) {
        lit += step(depth, stored(lamp, uv + blur * sqrt(k / float(TAPS)) * way));
        way = GOLDEN * way;
        k += 1.0;
    }
    return taps > 0 ? lit / float(TAPS) : 1.0;
}

// -------------------------------------------------------------------------------------------- light from elsewhere

vec3 bounced_along(vec3 n) {
    vec3 w = n * n;
    return w.x * bounced[n.x < 0.0 ? 1 : 0] + w.y * bounced[n.y < 0.0 ? 3 : 2] + w.z * bounced[n.z < 0.0 ? 5 : 4];
}

// Irradiance by way of the stage and the other bodies, which also stand in its way.
vec3 indirect(vec3 n) {
    vec3 from_bodies = vec3(0);
    float open = 1.0;
    for (int k = 0; k < BODIES; k++) {
        if (k == own) continue;
        vec3 to = ball[k].xyz - place;
        float squared = max(dot(to, to), ball[k].w * ball[k].w);
        float cosine = dot(n, to) * inversesqrt(squared);
        float share = ball[k].w * ball[k].w / squared * clamp(0.5 * (cosine + 0.6), 0.0, 1.0);
        from_bodies += share * PI * ball_light[k];
        open *= 1.0 - min(share, 1.0);
    }
    // a body that stands on the floor darkens what its own underside sees of it
    float reaches = ball[min(own, BODIES - 1)].w;
    if (own < BODIES) open *= mix(1.0, 0.4 + 0.6 * smoothstep(0.0, 1.4 * reaches, place.z), 0.5 - 0.5 * n.z);
    return open * bounced_along(n) + from_bodies;
}

vec3 probe(vec3 way) {
    vec3 size = abs(way);
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    vec2 uv = vec2(way[(axis + 1) % 3], way[(axis + 2) % 3]) / size[axis] * 0.5 + 0.5;
    vec2 corner = vec2(axis, way[axis] < 0.0 ? 2 * own + 1 : 2 * own);
    return textureLod(surroundings, (corner + clamp(uv, 0.02, 0.98)) / vec2(3, 2 * MOST), 0.0).rgb;
}

// How far along a ray another body is met, taken for a ball of so many times its radius; far away where none is.
float meets_body(vec3 from, vec3 way, float grown) {
    float reach = 1e9;
    for (int k = 0; k < BODIES; k++) {
        vec3 to = ball[k].xyz - from;
        float along = dot(to, way), inside = grown * grown * ball[k].w * ball[k].w + along * along - dot(to, to);
        if (k != own && inside > 0.0 && along > 0.0) reach = min(reach, max(along - sqrt(inside), 0.0));
    }
    return reach;
}

// Radiance from a direction by the probe, which was drawn from the body's middle: what the ray meets, another body or the
// floor, is looked up where it is. What a body hides from the middle but not from here is as bright as the stage is.
vec3 probed_along(vec3 way) {
    vec3 middle = ball[min(own, BODIES - 1)].xyz;
    float floor = way.z < -0.02 ? max(place.z, 0.02) / -way.z : 1e9, body = meets_body(place, way, 1.0);
    float reach = min(floor, body);
    vec3 met = reach < 30.0 ? place + reach * way - middle : way;
    bool hidden = body > floor && meets_body(middle, normalize(met), 1.3) < (reach < 30.0 ? length(met) : 1e9);
    return hidden ? bounced_along(way) / PI : probe(met);
}

vec3 seen_along(vec3 way, float blur) {
    vec3 light = bounced_along(way) / PI;
    for (int k = 0; k < BODIES; k++) {
        vec3 to = ball[k].xyz - place;
        float along = dot(to, way);
        float miss = sqrt(max(dot(to, to) - along * along, 0.0)) / ball[k].w;
        float soft = 0.1 + blur * max(along, 0.0) / ball[k].w;
        if (along > 0.0 && k != own) light = mix(ball_light[k], light, smoothstep(1.0 - soft, 1.0 + soft, miss));
    }
    return light;
}

vec3 reflected(vec3 n, vec3 to_eye, float rough) {
    vec3 way = reflect(-to_eye, n);
    float alpha = rough * rough;
#if SAMPLES > 1  // a probe itself sees no other
    if (pattern[own].w > 0.0) {
        vec3 side = normalize(cross(way, abs(way.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0))), light = vec3(0);
        mat2x3 across = mat2x3(side, cross(side, way)) * (1.4 * alpha);
        float taps = alpha < 0.02 ? 1.0 : float(GLINTS), k = 0.5;
        vec2 spread = first_way;
        for (float left = taps; left > 0.0; left -= 1.0) {
            light += probed_along(normalize(way + across * (sqrt(k / taps) * spread)));
            spread = GOLDEN * spread;
            k += 1.0;
        }
        return light / taps;
    }
#endif
    return seen_along(way, alpha);
}

// --------------------------------------------------------------------------------------------------------- lobes

float fresnel(float cosine, float index) {
    float g = sqrt(index * index - 1.0 + cosine * cosine);
    float a = (g - cosine) / (g + cosine), b = (cosine * (g + cosine) - 1.0) / (cosine * (g - cosine) + 1.0);
    return 0.5 * a * a * (1.0 + b * b);
}

// GGX, times the cosine; `wide` is the angle a lamp spans, which widens the lobe and keeps its energy.
float lobe(vec3 n, vec3 to_eye, vec3 to_lamp, float rough, float wide) {
    float alpha = rough * rough, blurred = min(alpha + 0.35 * wide, 1.0);
    vec3 h = normalize(to_eye + to_lamp);
    float nl = max(dot(n, to_lamp), 0.0), nv = max(dot(n, to_eye), 0.02), nh = max(dot(n, h), 0.0);
    float a2 = blurred * blurred, spread = nh * nh * (a2 - 1.0) + 1.0;
    float a = alpha * alpha;
    float visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a) + a) + nv * sqrt(nl * nl * (1.0 - a) + a) + 1e-4);
    return nl * visible * a2 / (PI * spread * spread);
}

// Ashikhmin's velvet, times the cosine.
float velvet_lobe(vec3 n, vec3 to_eye, vec3 to_lamp) {
    vec3 h = normalize(to_eye + to_lamp);
    float nl = max(dot(n, to_lamp), 0.0), nv = max(dot(n, to_eye), 0.02), nh = clamp(dot(n, h), 0.0, 0.999);
    float tangent = nh * nh / (1.0 - nh * nh);
    return exp(-tangent / (pattern[own].z * pattern[own].z)) * nl / (4.0 * PI * max(nl + nv - nl * nv, 0.05));
}

// --------------------------------------------------------------------------------------------------------- image

vec3 shown(vec3 light) {
    if (view_transform == 0) return light;
    if (view_transform == 2) {  // Blender's Filmic with very high contrast, measured: a logistic curve over stops
        vec3 odds = 7.89 * pow(max(light, 0.0), vec3(1.204));
        return odds / (1.0 + odds);
    }
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

vec3 radiance() {
    vec3 to_eye = eye - place;
    float distance = length(to_eye);
    to_eye /= distance;
    Look look = look_of(distance, dot(facing, to_eye));
    vec3 n = normalize(look.normal + max(0.0, 0.02 - dot(look.normal, to_eye)) * to_eye);
    float nv = max(abs(dot(look.normal, to_eye)), 0.1);
    float index = gloss[own].a, second = lobes[own].z, velvet = lobes[own].w;
    float share = index > 1.0 ? fresnel(nv, index) : 0.0;
    float velvet_share = velvet > 1.0 ? fresnel(nv, velvet) : 0.0;
    bool shiny = share > 0.0 || look.metalness > 0.0;
    vec3 even = vec3(0), soft = vec3(0), shine = vec3(0);
    for (int k = 0; k < LAMPS; k++) {
        bool sun = k == SUN;
        vec3 to = sun ? -lamp_way[k] : lamp_place[k] - place;
        float reach = length(to);
        to /= reach;
        float cosine = dot(n, to);
        if (cosine > 0.0 && dot(facing, to) > 0.0) {
            vec3 light = lamp_power[k] * lit_share(k, to, sun ? 1e3 : reach);
            if (!sun) light *= max(-dot(to, lamp_way[k]), 0.0) / (reach * reach);
            even += light * cosine;
            if (shiny) {
                float wide = lamp_edge[k] / reach;
                float first = lobe(n, to_eye, to, look.roughness.x, wide);
                soft += light * velvet_lobe(n, to_eye, to);
                shine += light * mix(first, lobe(n, to_eye, to, look.roughness.y, wide), second);
            }
        }
    }
    vec3 ambient = indirect(n);
    even = (even + ambient) / PI;
    soft += 0.5 * ambient / PI;
    if (shiny) {
        vec3 mirrored = reflected(n, to_eye, look.roughness.x);
        if (second > 0.0) mirrored = mix(mirrored, reflected(n, to_eye, look.roughness.y), second);
        shine += mirrored;
    }
    vec3 rest = look.color * mix(even, soft, velvet_share);
    return mix(mix(rest, gloss[own].rgb * shine, share), look.color * shine, look.metalness);
}

vec3 shaded(vec4 where, vec3 normal) {
    own = max(int(where.w) - 1, 0);
    place = where.xyz;
    facing = normalize(normal + vec3(0, 0, where.w > 0.0 ? 0.0 : 1.0));
    return shown(where.w > 0.0 ? radiance() : sky);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) - origin;
    float angle = 2.0 * PI * fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))));
    first_way = vec2(cos(angle), sin(angle));
    // samples of a pixel that show the same thing share their light; of more than two things, one hides the rest
    float first = texelFetch(seen_place, at, 0).w;
    int other = 0;
    float share = 0.0;
    for (int k = 1; k < SAMPLES; k++) {
        if (texelFetch(seen_place, at, k).w != first) {
            other = k;
            share += 1.0 / float(SAMPLES);
        }
    }
    vec3 light = vec3(0);
    float weight = 1.0 - share;
    int showing = 0;
    for (int left = share > 0.0 ? 2 : 1; left > 0; left--) {
        light += weight * shaded(texelFetch(seen_place, at, showing), texelFetch(seen_normal, at, showing).xyz);
        showing = other;
        weight = share;
    }
    pixel = vec4(light, 1);
}
